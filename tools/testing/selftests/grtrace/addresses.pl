#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# Are there kernel addresses in the bytes or the text on stdin? The ranges are
# this kernel's own, as /proc/kcore has them: all memory, what is mapped from it,
# the kernel's text, its modules. Prints each that was found with its place.
#
# Usage: addresses.pl [--self]     --self: look for an address that is put there
#
# Exit status: 0 none was found, 1 one was, 2 the ranges cannot be told.
use strict;
use warnings;

use constant { ELF_HEADER => 64, PROGRAM_HEADER => 56, PT_LOAD => 1 };

# The first and last address of each range.
sub ranges {
	my ($bytes, @found);

	open(my $core, '<:raw', '/proc/kcore') or return;
	read($core, $bytes, ELF_HEADER) == ELF_HEADER or return;
	my ($offset) = unpack('x32 Q<', $bytes);
	my ($size, $count) = unpack('x54 S<S<', $bytes);
	seek($core, $offset, 0);
	for (1 .. $count) {
		read($core, $bytes, PROGRAM_HEADER) == PROGRAM_HEADER or return;
		my ($type, undef, undef, $start, undef, undef, $length) =
			unpack('L<L<Q<Q<Q<Q<Q<', $bytes);
		push @found, [ $start, $start + $length - 1 ]
			if $type == PT_LOAD && $start >> 63;
	}
	return @found;
}

my @ranges = ranges() or do {
	print "the kernel does not tell where its memory is (/proc/kcore)\n";
	exit 2;
};

sub is_address {
	my ($value) = @_;

	return $value >> 63 && grep { $value >= $_->[0] && $value <= $_->[1] } @ranges;
}

binmode STDIN;
my $bytes = do { local $/; <STDIN> } // '';
# In the middle of what is there, at a place that is aligned by four.
if (@ARGV && $ARGV[0] eq '--self') {
	$bytes .= "\0" x (-length($bytes) & 3);
	substr($bytes, length($bytes) >> 3 << 2, 0) = pack('Q<', $ranges[0][0] + 0x1234);
}

my $found = 0;
for (my $at = 0; $at + 8 <= length($bytes); $at += 4) {
	my $value = unpack('Q<', substr($bytes, $at, 8));
	next unless is_address($value);
	printf "%#x at byte %d\n", $value, $at;
	$found++;
}
while ($bytes =~ /(?<![0-9a-f])(?:0x)?([89a-f][0-9a-f]{15})(?![0-9a-f])/gi) {
	no warnings 'portable';
	next unless is_address(hex $1);
	printf "%s as text at byte %d\n", $1, $-[0];
	$found++;
}
exit($found ? 1 : 0);
