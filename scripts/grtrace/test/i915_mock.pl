#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
#
# Checks what guest/i915_mock.sh recorded of i915's mock selftests. The source of these
# tests, drivers/gpu/drm/i915/selftests/i915_request.c, shows what they do with their
# requests, so the records that each must leave are known.
#
# Usage: i915_mock.pl FOLDER
#
#   FOLDER  has run.grtrace.<cpu>, and copies of log (dmesg), stats, events_by_type and
#           rings from the end of the session
#
# Prints TAP lines.  Needs grparse in PATH.
use strict;
use warnings;

my ($folder) = @ARGV;
my ($number, $failed) = (1, 0);

sub result {
	my ($what, @faults) = @_;

	print "# $_\n" for @faults > 10 ? (@faults[0 .. 9], '...') : @faults;
	printf "%sok %d i915: %s\n", @faults ? 'not ' : '', $number++, $what;
	$failed = 1 if @faults;
}

sub lines {
	my ($file) = @_;

	open(my $in, '<', "$folder/$file") or die "$folder/$file: $!\n";
	chomp(my @lines = <$in>);
	return @lines;
}

# ------------------------------------------------------------ what was recorded

sub events_of {
	my ($format, @options) = @_;

	open(my $in, '-|', 'grparse', '-q', @options, '-f', "$format\n", '-i',
	     "$folder/run") or die "grparse: $!\n";
	return $in;
}

# Requests are the keys that were submitted; in that order.  They are few: most of
# the stream is waits for other fences, which is counted and left.
my (@requests, %is_request, @faults);
my $in = events_of('%x:%S', '-a', 'Q');
while (<$in>) {
	chomp;
	push @requests, $_ unless $is_request{$_}++;
}
push @faults, 'grparse: exit status ' . ($? >> 8) unless close($in);

# A job, by ctx:seqno: {events => [[letter, ns, pid, error, ring, second fence,
# source of the time], ...]} in the order of the session, and what waits for it.
my (%jobs, %wedged, %found);
$in = events_of('%a %k %e %x %S %f %T %t %p %r %v %V %d %l %C', '--strict');
while (<$in>) {
	my ($letter, $kind, $error, $ctx, $seqno, $fence, $s, $ns, $pid, $ring,
	    $device, $driver, $class, $time, $task) = split;

	next if $letter eq 'm';
	$found{$letter}++;
	$wedged{$ring}++ if $letter eq 'ER' && $kind eq 'wedged';
	next unless $is_request{"$ctx:$seqno"} || $letter =~ /^[QDEC]$/;
	push @{$jobs{"$ctx:$seqno"}}, {
		letter => $letter, error => $error, fence => $fence,
		ns => $s * 1e9 + $ns, pid => $pid, time => $time, task => $task,
		ring => "$driver $device $ring $class",
	};
}
push @faults, 'grparse: exit status ' . ($? >> 8) unless close($in);

# The events of a job that have one of these letters.
sub events {
	my ($job, @letters) = @_;
	my %wanted = map { $_ => 1 } @letters;

	return grep { $wanted{$_->{letter}} } @{$jobs{$job} // []};
}

sub letters { return join ' ', map { $_->{letter} } events(@_) }

# ------------------------------------------------------------------- the checks

my @log = lines('log');
my @ran = map { /i915: Running i915_request_mock_selftests\/(\w+)/ } @log;
my @want = qw(igt_add_request igt_wait_request igt_fence_wait igt_request_rewind
	      mock_breadcrumbs_smoketest);
result('the selftests ran and passed',
       "@ran" eq "@want" ? () : "ran: @ran",
       grep { /i915.*(failed with error|probe.*failed)/ } @log);

my %stats = map { split ' ', $_, 2 } lines('stats');
result('the whole stream was read, and nothing is missing', @faults,
       map { $stats{$_} ? "$_ $stats{$_}" : () } qw(lost lost_notes));

my %counted = map { (split /,/)[2, 3] } grep { !/^type,/ } lines('events_by_type');
result('the session counted what is in the stream',
       map { ($found{$_} // 0) == $counted{$_} ? () :
	     "$_: " . ($found{$_} // 0) . ", not $counted{$_}" } sort keys %counted);

result('each request that was added was completed, once',
       @requests ? () : 'no request',
       map { letters($_, 'Q', 'C') eq 'Q C' ? () : "$_: " . letters($_, 'Q', 'C') }
       grep { events($_, 'Q', 'C', 'D', 'E') } keys %jobs);

result('each was executed before it ended, and completed after that',
       map { letters($_, 'Q', 'D', 'E', 'C') =~ /^Q D (D )?(E )?C$/ ? () :
	     "$_: " . letters($_, 'Q', 'D', 'E', 'C') } @requests);

result('each names its own fence when it is executed',
       map { my $job = $_; map { $_->{fence} eq $job ? () :
	     "$job: $_->{fence}" } events($job, 'D') } @requests);

result('no request is told as a fence too',
       map { events($_, 'FS') ? "$_: " . letters($_, 'Q', 'C', 'FS') : () } @requests);

result('an end is told only where an interrupt told it',
       scalar(grep { events($_, 'E') } @requests) ? () : 'no end',
       map { my $job = $_; map { $_->{time} eq 'i' ? () : "$job: $_->{time}" }
	     events($job, 'E') } @requests);

# Both tests wait before the request is added, in vain; while it runs, in vain; and
# until it is done.  One calls dma_fence_wait(), which calls i915's own wait.
my @waited = grep { letters($_, 'Q', 'WE', 'WX') =~ /^WE/ } @requests;
result('igt_wait_request and igt_fence_wait: two requests with early waiters',
       @waited == 2 ? () : 'found ' . @waited . ": @waited");
for my $i (0, 1) {
	my ($name, $job) = ($want[1 + $i], $waited[$i]);
	my @lives = $job ? letters($job, 'Q', 'D', 'E', 'C', 'WE', 'WX') : ();

	# who waits wakes up after the completion
	result("$name: waits before it is added, while it runs, to its end",
	       "@lives" eq 'WE WX Q D WE WX WE E C WX' ? () : "lived: @lives");

	my ($begin) = $job ? events($job, 'D') : ();
	my ($end) = $job ? events($job, 'C') : ();
	my $ms = $begin && $end ? ($end->{ns} - $begin->{ns}) / 1e6 : -1;
	# HZ / 4, of which the first tick may have been over
	result("$name: it took a quarter of a second",
	       $ms > 235 && $ms < 1000 ? () : "$ms ms");
}

# Added before these in the same timeline, and nobody waits for it.
my ($ctx, $seqno) = split /:/, $waited[0] // '0:0';
my ($alone) = grep {
	my ($its_ctx, $its_seqno) = split /:/;
	$its_ctx == $ctx && $its_seqno < $seqno;
} reverse @requests;
result('igt_add_request: added and executed, waited for by nobody',
       !$alone ? "nothing was added before $ctx:$seqno" :
       letters($alone, 'Q', 'D', 'C', 'WE') eq 'Q D C' ? () :
       "$alone: " . letters($alone, 'Q', 'D', 'C', 'WE'));

# The one that is taken off the engine and submitted again: another context's
# request overtakes it, and was added after it.
my @rewound = grep { letters($_, 'D') eq 'D D' } @requests;
result('igt_request_rewind: one request was executed twice',
       @rewound == 1 ? () : 'found ' . @rewound . ": @rewound");
my ($vip) = grep {
	my $job = $_;
	@rewound && (split /:/, $job)[0] ne (split /:/, $rewound[0])[0] &&
	(events($job, 'Q'))[0]{ns} > (events($rewound[0], 'D'))[0]{ns} &&
	(events($job, 'D'))[0]{ns} < (events($rewound[0], 'D'))[1]{ns};
} @requests;
result('igt_request_rewind: another one overtook it',
       !$vip ? 'none was executed in between' :
       (events($vip, 'C'))[0]{ns} < (events($rewound[0], 'C'))[0]{ns} ? () :
       "$vip was not complete before $rewound[0]");

# Thousands, by several threads.  The test counts them, too.
my @smoke = grep { (events($_, 'Q'))[0]{task} =~ m{^igt/\d+$} } @requests;
my %threads = map { (events($_, 'Q'))[0]{pid} => 1 } @smoke;
my ($fences, $cpus) = map { /Completed \d+ waits for (\d+) fence across (\d+) cpus/ } @log;
result('mock_breadcrumbs_smoketest: all its requests are there, from all its threads',
       !$fences ? 'the log does not say how many there were' :
       @smoke == $fences && keys %threads == $cpus ? () :
       @smoke . ' requests from ' . keys(%threads) . " threads, not $fences from $cpus");
# It waits for fences that wait for these, so somebody listens to each.
my $told = grep { events($_, 'E') } @smoke;
result('mock_breadcrumbs_smoketest: interrupts tell the ends',
       $told > @smoke * 0.9 ? () : "$told of " . @smoke);
result('who waits stops waiting',
       map { my @in = events($_, 'WE'); my @out = events($_, 'WX');
	     @in == @out ? () : "$_: " . letters($_, 'Q', 'C', 'WE', 'WX') } @requests);

my %rings = map { $_->{ring} => 1 } map { events($_, 'Q', 'D', 'E', 'C') } @requests;
result('the ring is the mock engine, which renders',
       map { /^i915 mock rcs0 G$/ ? () : $_ } sort keys %rings);
result('no request is in flight any more',
       map { (split /,/)[5] ? $_ : () } grep { !/^id,/ } lines('rings'));
result('a GT that is given up is told', %wedged ? () : 'none');

print '1..', $number - 1, "\n";
print '# ', scalar(@requests), " requests in $stats{written} records\n";
exit $failed;
