#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
#
# The oracle: two recordings of one run, by the kernel's own tracefs and by
# grtrace, must tell the same: per CPU the same events of the same jobs in the
# same order, each exactly once, at the same time within the given limit.
#
#	oracle.pl TRACEFS CAPTURE LIMIT_NS LATE_PER_MILLE
#
# TRACEFS is the output of "trace-cmd report -t -l", CAPTURE the base name of a
# capture with a message "begin" and a message "end" in it: only what lies
# between is compared. Prints what differs, exit status 1.
#
# The two record at the same tracepoint, one after the other. An interrupt may
# come in between, and then its own events come before the one in progress for
# the second recorder, and that one is late. So order is compared within what
# runs in one piece: the interrupts of a CPU, and each task on it; and a small
# share of the events may be late.

use strict;
use warnings;

my ($tracefs, $capture, $limit, $late_share) = @ARGV;
die "usage: oracle.pl TRACEFS CAPTURE LIMIT_NS LATE_PER_MILLE\n"
	unless defined $late_share;

# start of the session on the clock of both, from STREAM_INFO in the first file
sub start_ts {
	my ($file) = glob("$capture.grtrace.*");
	open(my $in, '<:raw', $file) or die "$file: $!\n";
	read($in, my $bytes, 216) == 216 or die "$file: too short\n";
	return unpack('Q<', substr($bytes, 64 + 24, 8));
}

# For each task, and a CPU's interrupts: [time in ns, kind, key, text, CPU] in the
# order of the recording. A kind is grparse's letter; a key says which job or fence,
# alike on both sides.
sub read_capture {
	my (%runs, $begin, $end);
	my $start = start_ts();
	my $format = '%c %p %l %a %T %t %x %S %r %f %n %m\n';

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
		my $key = "$ctx:$seqno";
		if ($ring eq 'control' || $ring eq 'cursor') {
			$key = "$ring:$seqno";
			# a command's type, a response's
			$key .= " type $arg" if $kind eq 'Q' || $kind eq 'E';
		}
		# a virtqueue's IRQ names no job
		$key = $ring if $kind eq 'IR';
		$key .= "<-$fence" if $kind eq 'DP' || $kind eq 'UN';
		my $run = $time eq 'i' ? "cpu $cpu" : "task $pid";

		# the idle tasks of all CPUs are pid 0
		$run .= ", cpu $cpu" unless $pid;
		push @{$runs{$run}}, [$ts, $kind, $key, $line, $cpu];
	}
	close($in) or die "grparse: exit status $?\n";
	die "$capture: no message begin or end\n" unless $begin && $end;
	return (\%runs, $begin, $end);
}

my %sched = (
	drm_sched_job_queue => 'Q', drm_sched_job_run => 'I',
	drm_sched_job_hw_fence => 'D', drm_sched_job_done => 'E',
	drm_sched_job => 'Q', drm_run_job => 'I', drm_sched_process_job => 'E',
);

my %fence = (
	dma_fence_signaled => 'FS', dma_fence_wait_start => 'WE',
	dma_fence_wait_end => 'WX', dma_fence_wait_any_start => 'WE',
	dma_fence_wait_any_end => 'WX',
);

my %syncobj = (
	drm_syncobj_wait_start => 'WE', drm_syncobj_wait_end => 'WX',
);

my %virtio = (
	virtio_gpu_cmd_queue => 'Q', virtio_gpu_cmd_response => 'E',
);

my %named;	# the events that tracefs has seen
my %job_ctx;	# contexts of jobs' finished fences

# [kind, key] for each event of grtrace that an event of tracefs stands for. 6.12
# names a job by the address of its fence; learnt from the first match.
sub tracefs_events {
	my ($name, $text) = @_;

	$named{$name} = 1;
	if ($name eq 'virtio_gpu_kick') {
		my ($ring, $seqno, $commands) =
			$text =~ /name=(\S+) seqno=(\d+) commands=(\d+)/;

		return map { ['D', "$ring:$_"] }
			$seqno - $commands + 1 .. $seqno;
	}
	my @event = tracefs_event($name, $text);

	return @event ? [@event] : ();
}

sub tracefs_event {
	my ($name, $text) = @_;

	if (exists $sched{$name}) {
		my ($id) = $text =~ /fence=(\S+?)[, ]/;

		# not handed to the hardware
		return if $text =~ /hw fence=0:0,/;
		$job_ctx{$1} = 1 if $id =~ /^(\d+):/;
		return ($sched{$name}, $id);
	}
	return ($syncobj{$name}, $1)
		if exists $syncobj{$name} && $text =~ /fence=(\d+:\d+)/;
	return ('IR', $1)
		if $name eq 'virtio_gpu_interrupt' && $text =~ /name=(\S+)/;
	return ('DP', "$1<-$2")
		if $text =~ /fence=(\S+) depends on fence=(\S+)/;
	return ('UN', "$1<-$2")
		if $text =~ /fence=(\S+) depends on unsignalled fence=(\S+)/;
	return ('?UN', "<-$1:$2")
		if $text =~ /depends fence=.*context=(\d+), seq=(\d+)/;
	if (exists $fence{$name}) {
		my ($driver, $ctx, $seqno) =
			$text =~ /driver=(\S+) .*context=(\d+) seqno=(\d+)/;
		my $kind = $fence{$name};

		$kind = 'C|D' if $kind eq 'FS' && $driver eq 'drm_sched';
		return ($kind, "$ctx:$seqno");
	}
	if (exists $virtio{$name}) {
		my ($ring, $type, $seqno) =
			$text =~ /name=(\S+) type=(\S+) .*seqno=(\d+)/;

		return ($virtio{$name}, "$ring:$seqno type " . hex($type));
	}
	return;
}

sub read_tracefs {
	my %runs;

	open(my $in, '<', $tracefs) or die "$tracefs: $!\n";
	while (my $line = <$in>) {
		chomp $line;
		die "$tracefs: tracefs lost events: $line\n"
			if $line =~ /EVENTS? (DROPPED|LOST)/i;
		my ($pid, $cpu, $flags, $sec, $ns, $name, $text) = $line =~
			/-(\d+)\s+(\d+)(\S{3,8})\s+(\d+)\.(\d{9}):\s+(\w+):\s+(.*)$/
			or next;
		my $run = $flags =~ /[hH]/ ? "cpu $cpu" : "task $pid";

		$run .= ", cpu $cpu" unless $pid;
		push @{$runs{$run}},
			map { [$sec * 1e9 + $ns, @$_, $line, $cpu] }
			tracefs_events($name, "$text ");
	}
	return \%runs;
}

# The scheduler signals two fences for each job: the second, whose context is the
# next, is its COMPLETE. The first is its COMMIT where there is no event for it.
sub tell_fences {
	my ($runs) = @_;

	for my $events (values %$runs) {
		@$events = grep {
			if ($_->[1] eq 'C|D') {
				my ($ctx, $seqno) = split /:/, $_->[2];

				if ($job_ctx{$ctx} || !$job_ctx{$ctx + 1}) {
					$_->[1] = 'C';
				} else {
					$_->[1] = 'D';
					$_->[2] = $ctx + 1 . ":$seqno";
				}
			}
			$_->[1] ne 'D' || $_->[3] !~ /: dma_fence_signaled:/ ||
				!$named{drm_sched_job_hw_fence};
		} @$events;
	}
}

my %learnt;	# address of a fence => key, 6.12

sub same {
	my ($ours, $theirs) = @_;
	my ($kind, $key) = @$theirs[1, 2];

	return 0 unless $kind eq $ours->[1];
	return 1 if $key eq $ours->[2];
	return 0 unless $key =~ /^0x/;
	# the two addresses 6.12 shows for one job are told apart by the event
	my $address = ($kind eq 'E' ? 'finished ' : 'both ') . $key;

	if (!exists $learnt{$address} || $kind eq 'Q') {
		$learnt{$address} = $ours->[2];
		return 1;
	}
	return $learnt{$address} eq $ours->[2];
}

my ($ours, $begin, $end) = read_capture();
my $theirs = read_tracefs();

# 6.12 does not show them
%job_ctx = map { (split /:/, $_->[2])[0] => 1 }
	grep { $_->[1] eq 'Q' } map { @$_ } values %$ours unless %job_ctx;
tell_fences($theirs);
my ($compared, $worst, $late, $elsewhere, $faults) = (0, 0, 0, 0, 0);
my (%jobs, %kinds);

sub fault {
	print "# $_[0]\n" if ++$faults <= 20;
}

sub between {
	return grep { $_->[0] >= $begin && $_->[0] <= $end } @{$_[0] || []};
}

# what tracefs has no event for; on 6.12, which shows addresses, nor for DP; on
# kernels without our tracepoints nor for IR
my $old = grep { $_->[2] =~ /^0x/ } map { @$_ } values %$theirs;
my @unseen = (qw(B ER CS), $old ? 'DP' : (), $named{virtio_gpu_interrupt} ? () : 'IR');
my $unseen = qr/^(@{[join('|', @unseen)]})$/;

for my $run (sort keys %{{%$ours, %$theirs}}) {
	my @a = grep { $_->[1] !~ $unseen } between($ours->{$run});
	my @b = between($theirs->{$run});

	while (@a || @b) {
		# 6.12 reports signalled dependencies too
		if (@b && $b[0][1] eq '?UN') {
			my $entry = shift @b;

			if (@a && $a[0][1] eq 'UN' &&
			    substr($a[0][2], -length $entry->[2]) eq $entry->[2]) {
				shift @a;
				$compared++;
			}
			next;
		}
		if (!@a || !@b || !same($a[0], $b[0])) {
			fault("$run: tracefs: " . (@b ? $b[0][3] : 'nothing'));
			fault("$run: grtrace: " . (@a ? $a[0][3] : 'nothing'));
			last;
		}
		my $off = abs($a[0][0] - $b[0][0]);

		$worst = $off if $off > $worst;
		$late++ if $off > $limit;
		$elsewhere++ if $a[0][4] != $b[0][4];
		$compared++;
		$kinds{$a[0][1]}++;
		$jobs{"$a[0][1] $a[0][2]"}++;
		shift @a;
		shift @b;
	}
}
for my $event (grep { /^[QC] / && $jobs{$_} > 1 } sort keys %jobs) {
	fault("$event: $jobs{$event} times");
}
fault("$late of $compared times differ by more than $limit ns")
	if $late * 1000 > $compared * $late_share;
fault("$elsewhere of $compared were on another CPU")
	if $elsewhere * 100 > $compared;
fault("nothing was compared") unless $compared;
print "# $compared events compared (",
	join(', ', map { "$kinds{$_} $_" } sort keys %kinds),
	"), $late more than $limit ns apart, none more than $worst, ",
	"$elsewhere on another CPU\n";
exit($faults ? 1 : 0);
