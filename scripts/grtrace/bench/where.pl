#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
#
# Counts the instructions of one round of a benchmark's loop by function.
#
# Usage: where.pl LOOP SYMBOLS MODULES <TRACE
#
#   LOOP     the function with the loop, e.g. bench_submit
#   SYMBOLS  the guest's /proc/kallsyms
#   MODULES  folder of our modules, with debug information
#   TRACE    QEMU's log of single instructions (-d exec,nochain, singlestep)
#
# Prints the round that occurred most often: a line for each stretch in one line
# of source, in the order of execution, with the functions that were inlined there;
# and the sums by function.
use strict;
use warnings;

no warnings 'portable';		# 64-bit numbers

my ($loop, $symbols, $modules) = @ARGV;
my (@address, %module);
open my $in, '<', $symbols or die "$symbols: $!\n";
my %at;
while (<$in>) {
	my ($address, $kind, $name, $module) = split;
	$module{$name} = $1 if $module && $module =~ /\[(grtrace.*)\]/;
	next unless $kind =~ /^[tTwW]$/ && $name !~ /^__pfx_/;
	$at{hex $address} //= $name;
}
close $in;
@address = sort { $a <=> $b } keys %at;

# function PC: its symbol and the offset in it.
my %known;
sub function {
	my $pc = shift;
	return @{$known{$pc}} if $known{$pc};
	my ($low, $high) = (0, $#address);
	while ($low < $high) {
		my $middle = int(($low + $high + 1) / 2);
		if ($address[$middle] <= $pc) { $low = $middle } else { $high = $middle - 1 }
	}
	$known{$pc} = [$at{$address[$low]}, $pc - $address[$low]];
	return @{$known{$pc}};
}

# A round begins where the loop's function is come back to; what is no round
# (an interrupt in between, the start) occurs once.
my (%rounds, %example, @round);
my $outside = 0;
while (<STDIN>) {
	/^Trace \d+: \S+ \[[0-9a-f]+\/([0-9a-f]+)\// or next;
	my $pc = hex $1;
	my ($name) = function($pc);
	if ($name eq $loop && $outside) {
		my $key = join ',', @round;
		$rounds{$key}++;
		@round = ();
	}
	$outside = $name ne $loop;
	push @round, $pc;
}
my ($most) = sort { $rounds{$b} <=> $rounds{$a} || length $a <=> length $b } keys %rounds;
die "no round of $loop was seen\n" unless defined $most && $rounds{$most} > 2;

my @pcs = split /,/, $most;
printf "%d instructions, the most frequent round of %d kinds (%d times)\n\n",
	scalar @pcs, scalar keys %rounds, $rounds{$most};

# source PC: where it comes from, innermost function first.
my (%source, %start);
sub source {
	my $pc = shift;
	return $source{$pc} //= find_source(function($pc));
}

sub find_source {
	my ($name, $offset) = @_;
	my $module = $module{$name} or return $name;
	my $file = "$modules/$module.ko";
	unless ($start{$module}) {
		$start{$module} = { map { (split)[2, 0] } grep { / [tT] / } `nm $file` };
	}
	my $from = $start{$module}{$name} or return $name;
	my @frames = split /\n/, sprintf("0x%x", hex($from) + $offset) =~
		s/(.*)/`addr2line -i -f -s -j .text -e $file $1`/er;
	my @chain;
	while (my ($inlined, $line) = splice @frames, 0, 2) {
		$line =~ s/ \(.*//;
		push @chain, "$inlined ($line)";
	}
	return join ' < ', @chain;
}

my (%sum, @stretch);
for my $pc (@pcs) {
	my $source = source($pc);
	$sum{$source =~ s/ .*//r}++;
	if (@stretch && $stretch[-1][1] eq $source) {
		$stretch[-1][0]++;
	} else {
		push @stretch, [1, $source];
	}
}
printf "%5d  %s\n", @$_ for @stretch;
print "\n";
printf "%5d  %s\n", $sum{$_}, $_ for sort { $sum{$b} <=> $sum{$a} || $a cmp $b } keys %sum;
