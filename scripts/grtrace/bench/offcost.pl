#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
#
# Counts the instructions that a tracepoint that is off adds to the functions
# that call it: compares two builds of an object (x86-64, ELF), with and without
# the patches.
#
# Usage: offcost.pl OBJECT WITHOUT.o WITH.o EVENT...
#
# The instructions of a function that can be reached while all tracepoints are
# off are followed from its entry, over all branches: those behind the static key
# of a tracepoint, which the compiler lays out of line, are not. So the order of
# the blocks does not count, nor does code that runs only while a probe is
# attached. All other code counts, such as a register that has to be saved.
# Padding up to the next alignment is left out.
#
# Prints a line for each function that has a call, fields divided by a tab:
#
#	OBJECT FUNCTION EVENTS NOPS WITHOUT WITH CHANGES
#
# NOPS are the static keys passed, WITHOUT and WITH the instructions that can be
# reached, keys not counted, CHANGES the difference by mnemonic, "-" where there is
# none. A function that is in only one of the objects has "?" for the other: it
# was inlined there.
use strict;
use warnings;

my ($name, $without, $with, @events) = @ARGV;
die "usage: offcost.pl OBJECT WITHOUT.o WITH.o EVENT...\n" unless @events;
my %is_event = map { $_ => 1 } @events;

# stem NAME: without what the compiler appends to clones and cold parts.
sub stem { my ($s) = @_; $s =~ s/\.(?:cold|part|isra|constprop|\d+)\b.*//; return $s }

sub run { open my $pipe, '-|', @_ or die "$_[0]: $!\n"; return $pipe }

# load FILE: its functions, instructions, relocations in them, and tracepoints.
sub load {
	my ($file) = @_;
	my %o = (file => $file, fn => {}, insn => {}, key => {}, sym => {});
	my ($section, $at);

	my $pipe = run('readelf', '-sW', '-SW', $file);
	my %number;
	while (<$pipe>) {
		$number{$1} = $2 if /^\s*\[\s*(\d+)\]\s+(\S+)\s/;
	}
	close $pipe;
	$pipe = run('readelf', '-sW', $file);
	while (<$pipe>) {
		next unless /^\s*\d+:\s+([0-9a-f]+)\s+(\d+|0x[0-9a-f]+)\s+(\S+)\s+\S+\s+\S+\s+(\d+)\s*(\S*)/;
		my ($value, $size, $type, $index, $symbol) = (hex $1, $2, $3, $4, $5);
		$size = hex $size if $size =~ /^0x/;
		next unless exists $number{$index};
		$symbol = $number{$index} if $type eq 'SECTION';
		$o{sym}{$symbol} = [$number{$index}, $value];
		push @{$o{fn}{$number{$index}}}, [$value, $size, $symbol]
			if $type eq 'FUNC' && $size;
	}
	close $pipe;

	$pipe = run('objdump', '-drw', '--no-show-raw-insn', $file);
	while (<$pipe>) {
		if (/^Disassembly of section (\S+):/) {
			$section = $1;
		} elsif (/^\s*([0-9a-f]+):\s+(\S.*?)\s*$/) {
			$at = hex $1;
			my $text = $2;
			my @reloc;
			# with -w it stands in the same line
			@reloc = ($1, $2, $3) if $text =~
				s/\s+[0-9a-f]+:\s+(R_X86_64_\w+)\s+(\S+?)([-+]0x[0-9a-f]+)?$//;
			$text =~ s/\s+#.*//;
			$o{insn}{$section}{$at} = { text => $text, reloc => @reloc ? \@reloc : undef };
		}
	}
	close $pipe;
	for my $s (keys %{$o{insn}}) {
		my @all = sort { $a <=> $b } keys %{$o{insn}{$s}};
		$o{insn}{$s}{$all[$_]}{next} = $all[$_ + 1] for 0 .. $#all - 1;
	}

	# each entry of the table: where, where to, and the key
	$pipe = run('readelf', '-rW', $file);
	my $inside = 0;
	my @entry;
	while (<$pipe>) {
		$inside = /__jump_table/ if /^Relocation section/;
		next unless $inside && /^([0-9a-f]{8,})\s+\S+\s+\S+\s+\S+\s+(\S+)(?:\s+([-+])\s+([0-9a-f]+))?/;
		push @entry, [hex $1, $2, ($3 // '+') eq '-' ? -hex($4) : hex($4 // 0)];
	}
	close $pipe;
	@entry = sort { $a->[0] <=> $b->[0] } @entry;
	while (my ($code, $target, $key) = splice @entry, 0, 3) {
		last unless defined $key && exists $o{sym}{$code->[1]};
		next unless $key->[1] =~ /^__tracepoint_(\w+)$/;
		my ($s, $value) = @{$o{sym}{$code->[1]}};
		$o{key}{$s}{$value + $code->[2]} = $1;
	}
	return \%o;
}

# function_at OBJECT SECTION ADDRESS: [start, size, name] or undef.
sub function_at {
	my ($o, $section, $at) = @_;
	for my $fn (@{$o->{fn}{$section} // []}) {
		return $fn if $at >= $fn->[0] && $at < $fn->[0] + $fn->[1];
	}
	return undef;
}

# jump_target OBJECT SECTION INSTRUCTION: (section, address), or () for another function's.
sub jump_target {
	my ($o, $section, $insn) = @_;
	if (my $reloc = $insn->{reloc}) {
		my ($type, $symbol, $addend) = @$reloc;
		return () unless exists $o->{sym}{$symbol};
		$addend //= '+0x0';
		my $offset = ($addend =~ /^-/ ? -1 : 1) * hex(substr $addend, 1);
		my ($s, $value) = @{$o->{sym}{$symbol}};
		return ($s, $value + $offset + 4);
	}
	return $insn->{text} =~ /^\S+\s+([0-9a-f]+)\b/ ? ($section, hex $1) : ();
}

# reach OBJECT NAME: what can be reached with tracepoints off, from all clones.
sub reach {
	my ($o, $wanted) = @_;
	my (%seen, %mnemonic, %events, @todo);
	my ($count, $found) = (0, 0);

	for my $section (keys %{$o->{fn}}) {
		for my $fn (@{$o->{fn}{$section}}) {
			next if stem($fn->[2]) ne $wanted || $fn->[2] =~ /\.cold\b/;
			push @todo, [$section, $fn->[0]];
			$found = 1;
		}
	}
	while (my $place = pop @todo) {
		my ($section, $at) = @$place;
		while (defined $at && !$seen{"$section:$at"}) {
			my $fn = function_at($o, $section, $at);
			my $insn = $o->{insn}{$section}{$at};
			last unless $fn && $insn && stem($fn->[2]) eq $wanted;
			$seen{"$section:$at"} = 1;
			my ($what) = $insn->{text} =~ /^(?:(?:notrack|bnd|cs|ds|lock|rep\w*|data16)\s+)*(\S+)/;
			my $event = $o->{key}{$section}{$at};
			if (defined $event) {
				$events{$event}++;
			} elsif ($insn->{text} !~ /^(?:(?:cs|data16)\s+)*nop|^xchg\s+%ax,%ax$|^int3$/) {
				$what = 'jcc' if $what =~ /^j(?!mp)/;
				$what =~ s/^cmov.*/cmov/;
				$what =~ s/^set.*/set/;
				$mnemonic{$what}++;
				$count++;
				push @todo, [jump_target($o, $section, $insn)]
					if $what eq 'jcc' || $what eq 'jmp';
				last if $what =~ /^(?:jmp|ret|iret)/;
			}
			$at = $insn->{next};
		}
		@todo = grep { @$_ } @todo;
	}
	return { found => $found, count => $count, mnemonic => \%mnemonic, events => \%events };
}

sub changes {
	my ($a, $b) = @_;
	my %all = (%$a, %$b);
	my @list;
	for (sort keys %all) {
		my $change = ($b->{$_} // 0) - ($a->{$_} // 0);
		push @list, sprintf '%+d %s', $change, $_ if $change;
	}
	return @list ? join ', ', @list : '-';
}

sub row {
	my ($function, $a, $b) = @_;
	my @passed = sort grep { $is_event{$_} } keys %{$b->{events}};
	my $nops = 0;
	$nops += $b->{events}{$_} for @passed;
	$nops -= $a->{events}{$_} // 0 for @passed;
	print join("\t", $name, $function, join(' ', @passed), $nops,
		   $a->{found} ? $a->{count} : '?', $b->{count},
		   $a->{found} ? changes($a->{mnemonic}, $b->{mnemonic}) : '?'), "\n";
}

my ($old, $new) = (load($without), load($with));
my %hooked;
for my $section (keys %{$new->{key}}) {
	for my $at (keys %{$new->{key}{$section}}) {
		next unless $is_event{$new->{key}{$section}{$at}};
		my $fn = function_at($new, $section, $at) or next;
		$hooked{stem($fn->[2])} = 1;
	}
}
row($_, reach($old, $_), reach($new, $_)) for sort keys %hooked;
