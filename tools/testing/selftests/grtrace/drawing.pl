#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
#
# Does a capture of virtio-gpu tell of the program "drawing" what that did?
#
#	drawing.pl CAPTURE KICKS FLIPS UPDATES CURSORS
#
# Between its messages there are the commands that the driver makes of so many
# flips, updates and cursors, and no others. Each was handed over (KICKS: 1 where
# the kernel tells), answered without an error, each once; and what has a fence
# was waited for, once, until the fence was signalled. Prints what differs, exit
# status 1.

use strict;
use warnings;

my ($capture, $kicks, $flips, $updates, $cursors) = @ARGV;
die "usage: drawing.pl CAPTURE KICKS FLIPS UPDATES CURSORS\n"
	unless defined $cursors;

# see linux/virtio_gpu.h
my %names = (
	0x103 => 'SET_SCANOUT', 0x104 => 'RESOURCE_FLUSH',
	0x105 => 'TRANSFER_TO_HOST_2D', 0x300 => 'UPDATE_CURSOR',
);
my %expected = (
	SET_SCANOUT => $flips, RESOURCE_FLUSH => $flips + $updates,
	TRANSFER_TO_HOST_2D => $flips + $updates + $cursors,
	UPDATE_CURSOR => $cursors,
);
my $faults = 0;

sub fault {
	print "# $_[0]\n" if ++$faults <= 20;
}

# Commands by type, in the order of the recording; how often each event was
# recorded of a command, of a fence; interrupts of a ring.
my (%types, @commands, @fences, %seen, %interrupts, $inside, $drawn);

open(my $in, '-|', 'grparse', '-q', '-f', '%a %r %S %x:%S %f %n %m\n',
     '-i', $capture) or die "grparse: $!\n";
while (my $line = <$in>) {
	chomp $line;
	my ($kind, $ring, $seqno, $key, $fence, $arg, $text) =
		split / +/, $line, 7;

	if ($kind eq 'm') {
		$inside = 1 if $text =~ /^drawing begins/;
		$drawn = $inside if $text =~ /^drawing ends/;
		$inside = 0 if $drawn;
		next;
	}
	$interrupts{$ring}++ if $kind eq 'IR';
	$key = "$ring:$seqno" if $kind =~ /^[QDE]$/;
	$seen{"$kind $key"}++;
	fault("the host refused $ring:$seqno, or so it says")
		if $kind eq 'ER';
	next unless $inside && $kind eq 'Q';
	$types{$names{$arg} || sprintf('0x%x', $arg)}++;
	push @commands, $key;
	push @fences, $fence unless $fence eq '-';
}
close($in) or die "grparse: exit status $?\n";
fault('there is no drawing') unless $drawn;

for my $type (sort keys %{{%types, %expected}}) {
	my ($is, $should) = ($types{$type} || 0, $expected{$type} || 0);

	fault("$type: $is, not $should") unless $is == $should;
}
sub same {
	my ($kind, $key, $should) = @_;
	my $is = $seen{"$kind $key"} || 0;

	fault("$kind of $key: $is, not $should") unless $is == $should;
}
for my $command (@commands) {
	same('D', $command, $kicks);
	same('E', $command, 1);
}
for my $fence (@fences) {
	same($_, $fence, 1) for qw(FS WE WX);
}
fault(@fences . " commands have a fence, not $cursors")
	unless @fences == $cursors;
for my $ring ($kicks ? qw(control cursor) : ()) {
	fault("no interrupt of $ring") unless $interrupts{$ring};
}
print '# ', join(', ', map { "$types{$_} $_" } sort keys %types), ', ',
	@fences . " fences\n";
exit($faults ? 1 : 0);
