#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
#
# Two captures of one run, the module's and one made from tracefs without it, must
# tell the same: per CPU and task the same events of the same jobs in the same
# order, each exactly once, at the same time within the given limit.
#
#	tracefs_oracle.pl MODULE TRACEFS LIMIT_NS LATE_PER_MILLE
#
# MODULE has a message "begin" and a message "end" in it: only what lies between is
# compared. Prints what differs, exit status 1. See oracle.pl, of which this is the
# small sister, for why order is that of a task, and why some events may be late.
#
# Not compared, as no event of the kernel's has it:
#
#	B IR CS		start, interrupt and switch are the drivers' own
#	ER		but for a host that refuses
#	DP		on kernels whose events name jobs by an address
#	D		what the hardware's fence is; on kernels with a tracepoint
#			of ours for it, the module's D comes from there, and
#			virtio-gpu has one as well
#	WE WX		on kernels that have tracepoints of ours for more waits
#	UN		on kernels that report all fences looked at, when one is
#			signalled in the very moment: a few may be missing

use strict;
use warnings;

my ($module, $tracefs, $limit, $late_share) = @ARGV;
die "usage: tracefs_oracle.pl MODULE TRACEFS LIMIT_NS LATE_PER_MILLE\n"
	unless defined $late_share;

my $events = '/sys/kernel/tracing/events';
my $old = -d "$events/gpu_scheduler/drm_sched_job_wait_dep";
my $patched = -d "$events/gpu_scheduler/drm_sched_job_hw_fence";
my @unseen = (qw(B IR CS ER), $old ? 'DP' : (), $patched ? qw(D WE WX) : ());
my $unseen = qr/^(@{[join('|', @unseen)]})$/;

# start of the session on the clock of both, from STREAM_INFO in the first file
sub start_ts {
	my ($file) = glob("$_[0].grtrace.*");
	open(my $in, '<:raw', $file) or die "$file: $!\n";
	read($in, my $bytes, 216) == 216 or die "$file: too short\n";
	return unpack('Q<', substr($bytes, 64 + 24, 8));
}

my ($begin, $end);

# For each task, and a CPU's interrupts: [time in ns, kind, key, text]
sub read_capture {
	my ($capture) = @_;
	my $start = start_ts($capture);
	my $format = '%c %p %l %a %T %t %x %S %r %f %n %m\n';
	my %runs;

	open(my $in, '-|', 'grparse', '-q', '-f', $format, '-i', $capture)
		or die "grparse: $!\n";
	while (my $line = <$in>) {
		chomp $line;
		my ($cpu, $pid, $time, $kind, $sec, $ns, $ctx, $seqno, $ring,
		    $fence, $arg, $text) = split / +/, $line, 12;
		my $ts = $start + $sec * 1e9 + $ns;

		if ($kind eq 'm') {
			$begin = $ts if $text eq 'begin';
			$end = $ts if $text eq 'end';
			next;
		}
		next if $kind =~ $unseen;
		my $key = "$ctx:$seqno";
		if ($ring eq 'control' || $ring eq 'cursor') {
			next if $kind eq 'D';
			$key = "$ring:$seqno";
			$key .= " type $arg" if $kind eq 'Q' || $kind eq 'E';
			$key .= " fence $fence" if $kind eq 'Q';
		} elsif ($kind =~ /^[QIDEC]$/) {
			$key .= " on $ring";
		}
		$key .= "<-$fence" if $kind eq 'DP' || $kind eq 'UN';
		my $run = $time eq 'i' ? "cpu $cpu" : "task $pid";

		# the idle tasks of all CPUs are pid 0
		$run .= ", cpu $cpu" unless $pid;
		push @{$runs{$run}}, [$ts, $kind, $key, $line];
	}
	close($in) or die "grparse: exit status $?\n";
	return \%runs;
}

my $ours = read_capture($module);
my $theirs = read_capture($tracefs);
die "$module: no message begin or end\n" unless $begin && $end;

my ($compared, $worst, $late, $missed, $faults) = (0, 0, 0, 0, 0);
my (%kinds, %seen);

sub fault {
	print "# $_[0]\n" if ++$faults <= 20;
}

sub between {
	return grep { $_->[0] >= $begin && $_->[0] <= $end } @{$_[0] || []};
}

for my $run (sort keys %{{%$ours, %$theirs}}) {
	my @a = between($ours->{$run});
	my @b = between($theirs->{$run});

	while (@a || @b) {
		if (!@a || !@b || "@{$a[0]}[1, 2]" ne "@{$b[0]}[1, 2]") {
			my $side = @a && $a[0][1] eq 'UN' ? \@a :
				   @b && $b[0][1] eq 'UN' ? \@b : undef;

			if ($old && $side) {
				shift @$side;
				$missed++;
				next;
			}
			fault("$run: module: " . (@a ? $a[0][3] : 'nothing'));
			fault("$run: tracefs: " . (@b ? $b[0][3] : 'nothing'));
			last;
		}
		my $off = abs($a[0][0] - $b[0][0]);

		$worst = $off if $off > $worst;
		$late++ if $off > $limit;
		$compared++;
		$kinds{$a[0][1]}++;
		$seen{"$a[0][1] $a[0][2]"}++;
		shift @a;
		shift @b;
	}
}
for my $event (grep { /^[QIDC] / && $seen{$_} > 1 } sort keys %seen) {
	fault("$event: $seen{$event} times");
}
fault("$late of $compared times differ by more than $limit ns")
	if $late * 1000 > $compared * $late_share;
fault("$missed of $kinds{UN} UN are on one side only")
	if $missed * 20 > ($kinds{UN} || 0);
fault("nothing was compared") unless $compared;
print "# $compared events compared (",
	join(', ', map { "$kinds{$_} $_" } sort keys %kinds),
	"), $late more than $limit ns apart, none more than $worst, ",
	"$missed UN on one side only\n";
exit($faults ? 1 : 0);
