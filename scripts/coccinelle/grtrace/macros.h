/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What coccinelle's parser takes for something else, said in plain C. Read after
 * coccinelle's own standard.h.
 */

/* a definition, not a call */
#define DEFINE_PER_CPU(type, name) type name

/* a loop, also where the statement after it begins with * */
#define for_each_possible_cpu(cpu) for ((cpu) = 0; (cpu) < nr_cpu_ids; (cpu)++)
#define for_each_online_cpu(cpu) for ((cpu) = 0; (cpu) < nr_cpu_ids; (cpu)++)

/* an attribute: the name in it is a function's, not a type's */
#define __free(function)

/* a block */
#define scoped_guard(class, lock) if (scoped(lock))
