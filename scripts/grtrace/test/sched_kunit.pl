#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
#
# Checks what guest/sched_kunit.sh left of a suite: every job that the suite gave
# to the DRM scheduler is in the recording with all that became of it.  There are
# three witnesses: grtrace's capture, tracefs's recording of the same run, and,
# where the suite always does the same, the number of jobs in its source.
#
# Usage: sched_kunit.pl FOLDER...
#
# Prints TAP lines.  Needs grparse in PATH.
use strict;
use warnings;

# Jobs that a suite of Linux 7.3 submits, added up from
# drivers/gpu/drm/scheduler/tests/; in the others time decides.
my %submits = (
	drm_sched_basic_tests			=> 1 + 4 * 100 + 100,
	drm_sched_basic_timeout_tests		=> 1 + 1,
	drm_sched_basic_cancel_tests		=> 1,
	drm_sched_basic_priority_tests		=> 100 + 1000,
	drm_sched_basic_modify_sched_tests	=> 1000,
	drm_sched_basic_credits_tests		=> 2,
	drm_sched_scheduler_overhead_tests	=> 1001 + 1001,
);

# The events of tracefs, and the letters that grparse has for the same.
my %letter = (
	drm_sched_job_queue => 'Q', drm_sched_job_run => 'I',
	drm_sched_job_hw_fence => 'D', drm_sched_job_done => 'E',
	drm_sched_job_add_dep => 'DP', drm_sched_job_unschedulable => 'UN',
	drm_sched_job_timedout => 'timeout', drm_sched_job_kill => 'kill',
);

# The order of a job's life; what a job may have more than once.
my %stage = (Q => 0, DP => 1, UN => 2, I => 3, D => 4, timeout => 5, E => 6,
	     kill => 6, C => 7);
my %often = map { $_ => 1 } qw(DP UN D timeout);

my ($number, $failed) = (1, 0);

sub result {
	my ($suite, $what, @faults) = @_;

	print "# $_\n" for @faults > 10 ? (@faults[0 .. 9], '...') : @faults;
	printf "%sok %d %s: %s\n", @faults ? 'not ' : '', $number++, $suite, $what;
	$failed = 1 if @faults;
}

# The jobs of the capture: ctx:seqno => list of [letter, error, second fence], in
# the order of the session.
sub read_capture {
	my ($folder) = @_;
	my (%jobs, %picks, @faults);

	open(my $in, '-|', 'grparse', '-q', '--strict', '-f',
	     '%a %k %e %x %S %f\n', '-i', "$folder/run") or die "grparse: $!\n";
	while (<$in>) {
		my ($letter, $kind, $error, $ctx, $seqno, $fence) = split;

		$letter = $kind if $letter eq 'ER';
		next unless exists $stage{$letter};
		push @{$jobs{"$ctx:$seqno"}}, [$letter, $error, $fence];
		next unless $letter eq 'I';
		push @faults, "$ctx:$seqno was picked after $ctx:$picks{$ctx}"
			if ($picks{$ctx} // 0) >= $seqno;
		$picks{$ctx} = $seqno;
	}
	push @faults, "grparse: exit status " . ($? >> 8) unless close($in);
	return (\%jobs, @faults);
}

# Of tracefs: "letter ctx:seqno" => how often, and ctx:seqno => error of the jobs
# that run_job() gave no hardware fence for.
sub read_tracefs {
	my ($folder) = @_;
	my (%seen, %fenceless);

	open(my $in, '<', "$folder/tracefs.txt") or die "$folder/tracefs.txt: $!\n";
	while (<$in>) {
		die "$folder/tracefs.txt: tracefs lost events: $_"
			if /EVENTS? (DROPPED|LOST)/i;
		my ($name, $job) = /\d:\s+(drm_sched_\w+):.*?fence=(\d+:\d+)/ or next;

		if (/ hw fence=0:0, error=(-?\d+)/) {
			$fenceless{$job} = $1;
		} elsif (exists $letter{$name}) {
			$seen{"$letter{$name} $job"}++;
		}
	}
	return (\%seen, \%fenceless);
}

# name => value, from a file of the session; columns of stats or of CSV.
sub read_table {
	my ($file, $separator, $name, $value) = @_;
	my %table;

	open(my $in, '<', $file) or die "$file: $!\n";
	while (<$in>) {
		chomp;
		my @column = split $separator;
		$table{$column[$name]} = $column[$value] if defined $column[$value];
	}
	return \%table;
}

# What is wrong with the life of a job; $fenceless is there, and run_job()'s error,
# if it had no hardware fence.
sub life {
	my ($job, $events, $fenceless) = @_;
	my (%count, @faults, $error);
	my $last = -1;

	for my $event (@$events) {
		my ($letter, $code, $fence) = @$event;

		$count{$letter}++;
		# On a slow machine the timeout's worker may look at a job that
		# has ended in the meantime.
		push @faults, "$job: $letter too late"
			if $stage{$letter} < $last &&
			!($letter eq 'timeout' && $count{E});
		$last = $stage{$letter} unless $letter eq 'timeout' && $count{E};
		$error = $code if $letter eq 'C';
		push @faults, "$job: no hardware fence in $letter"
			if $letter eq 'D' && $fence !~ /^[1-9]\d*:\d+$/;
	}
	for my $letter (sort keys %count) {
		push @faults, "$job: $count{$letter} times $letter"
			if $count{$letter} > 1 && !$often{$letter};
	}
	push @faults, "$job: no Q" unless $count{Q};
	push @faults, "$job: no C" unless $count{C};
	if ($count{I}) {
		push @faults, "$job: picked, but no D"
			unless $count{D} || defined $fenceless;
		push @faults, "$job: picked, but no E" unless $count{E};
		push @faults, "$job: picked and killed" if $count{kill};
	} else {
		push @faults, "$job: neither picked nor killed" unless $count{kill};
		push @faults, "$job: killed without having been picked, but E"
			if $count{E};
	}
	# -ESRCH; -ETIME or -ETIMEDOUT; -ECANCELED
	push @faults, "$job: killed, but its C says $error"
		if $count{kill} && ($error // 0) != -3;
	push @faults, "$job: error $error, which nothing explains"
		if $error && !$count{kill} && !$count{timeout} &&
			$error != -125 && $error != ($fenceless // 0);
	return @faults;
}

sub check_suite {
	my ($folder) = @_;
	my ($suite) = $folder =~ m{([^/]+)/*$};
	my ($jobs, @faults) = read_capture($folder);
	my $stats = read_table("$folder/stats", qr/\s+/, 0, 1);
	my $types = read_table("$folder/events_by_type", qr/,/, 1, 3);
	my $rings = read_table("$folder/rings", qr/,/, 0, 5);
	my ($theirs, $fenceless) = read_tracefs($folder);
	my $count = scalar keys %$jobs;
	my (%ours, %sum, @green, $green);

	# The suite itself.
	open(my $in, '<', "$folder/results") or die "$folder/results: $!\n";
	while (<$in>) {
		push @green, $_ =~ s/\s+$//r if /^\s*not ok /;
		$green = 1 if /^ok \d+ \Q$suite\E/;
	}
	push @green, 'it did not end' unless $green || @green;
	result($suite, 'the suite passes', @green);

	# Each job's life.
	push @faults, life($_, $jobs->{$_}, $fenceless->{$_}) for sort keys %$jobs;
	push @faults, 'there is no job' unless $count;
	result($suite, "$count jobs are whole", @faults);

	# Both recordings.
	@faults = ();
	for my $job (keys %$jobs) {
		for my $event (@{$jobs->{$job}}) {
			next if $event->[0] eq 'C';
			$ours{"$event->[0] $job"}++;
		}
	}
	for my $event (sort keys %{{%ours, %$theirs}}) {
		my ($a, $b) = ($ours{$event} // 0, $theirs->{$event} // 0);

		$sum{(split ' ', $event)[0]} += $a;
		push @faults, "$event: grtrace $a, tracefs $b" if $a != $b;
	}
	push @faults, "no job timed out" if $suite =~ /timeout/ && !$sum{timeout};
	result($suite, 'as tracefs recorded it: ' .
	       join(', ', map { "$sum{$_} $_" }
		    sort { $stage{$a} <=> $stage{$b} || $a cmp $b } keys %sum), @faults);

	# The session's own books.
	@faults = ();
	my $left = $stats->{offered};
	for my $reason (grep { /^(written|sampled_out|rate_limited_drops|backpressure_drops|filtered_.*|writes_(reserve_fail|oversize|nmi))$/ } keys %$stats) {
		$left -= $stats->{$reason};
		push @faults, "$reason: $stats->{$reason}"
			if $stats->{$reason} && $reason ne 'written';
	}
	push @faults, "$left events went nowhere" if $left;
	push @faults, "lost: $stats->{lost}" if $stats->{lost};
	push @faults, "$_: $types->{$_} events, not $count"
		for grep { $types->{$_} != $count } qw(submit complete);
	push @faults, "ring $_: $rings->{$_} jobs in flight"
		for grep { /^\d+$/ && $rings->{$_} } sort keys %$rings;
	push @faults, "the suite submits $submits{$suite} jobs"
		if $submits{$suite} && $submits{$suite} != $count;
	result($suite, "$count of $count jobs, nothing lost", @faults);
}

check_suite($_) for @ARGV;
printf "1..%d\n", $number - 1;
exit $failed;
