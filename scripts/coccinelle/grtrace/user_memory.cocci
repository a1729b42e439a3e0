// SPDX-License-Identifier: GPL-2.0
/// User memory is touched in the files that are the operations of debugfs
/// files, and in the mock's ioctls. All other files are handed what lies in the
/// kernel. (The annotation __user itself is beyond the parser, see levels.sh.)
///
// Confidence: High
// Options: --no-includes --include-headers

virtual report

@initialize:python@
@@

import os
import re

TOUCH = re.compile(r'_*(copy_(to|from|in)_user.*|(get|put)_user|unsafe_(get|put)_user|clear_user'
    r'|strn(cpy|len)_.*user.*|v?memdup_.*user.*|simple_(read_from|write_to)_buffer|u64_to_user_ptr'
    r'|access_ok|kstrto.*_from_user|copy_struct_(to|from)_user|user_access_begin'
    r'|import_(iovec|ubuf)|(pin|get)_user_pages.*)$')

def may_touch(path):
    base = os.path.basename(path)
    return base == 'debugfs.c' or base.startswith('mock_')

@touch@
identifier fn;
position p;
@@

fn@p(...)

@script:python depends on report@
p << touch.p;
fn << touch.fn;
@@

if TOUCH.match(fn) and not may_touch(p[0].file):
    coccilib.report.print_report(p[0], 'ERROR: %s: user memory is for debugfs.c and the mock' % fn)
