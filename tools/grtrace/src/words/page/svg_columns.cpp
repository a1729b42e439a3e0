// SPDX-License-Identifier: GPL-2.0
#include "words/page/svg_columns.h"

#include <algorithm>
#include <cmath>

namespace grtrace {

SvgColumns::SvgColumns(const PictureSeries &series, uint64_t from,
		       double length, double plot)
	: ns_(length * width / plot),
	  sums_(static_cast<size_t>(std::ceil(plot / width)) * values)
{
	const uint64_t first = series.first() << series.shift();
	const double begin =
		static_cast<double>(static_cast<int64_t>(first - from));
	const double bucket = std::exp2(series.shift());

	for (size_t i = 0; i < series.size(); i++) {
		const double at = begin + bucket * static_cast<double>(i);

		for (size_t value = 0; value < values; value++)
			if (series.at(i, value) > 0)
				add(at, at + bucket, value,
				    series.at(i, value));
	}
}

// Spreads ns evenly over the columns between two times.
void SvgColumns::add(double from, double to, size_t value, double ns)
{
	const double share = ns / (to - from);
	const double last = static_cast<double>(size() - 1);
	double column = std::clamp(std::floor(from / ns_), 0.0, last);

	for (; column <= last && column * ns_ < to; column++) {
		const double begin = std::max(from, column * ns_);
		const double end = std::min(to, (column + 1) * ns_);

		if (end > begin)
			sums_[static_cast<size_t>(column) * values + value] +=
				share * (end - begin);
	}
}

double SvgColumns::sum(size_t column, size_t last) const
{
	double sum = 0;

	for (size_t value = 0; value < last; value++)
		sum += sums_[column * values + value];
	return sum / ns_;
}

double SvgColumns::depth(size_t column) const
{
	return sum(column, values);
}

double SvgColumns::most_busy() const
{
	double most = 0;

	for (size_t i = 0; i < size(); i++)
		most = std::max(most, sum(i, PictureRing::queued));
	return most;
}

double SvgColumns::most_deep() const
{
	double most = 0;

	for (size_t i = 0; i < size(); i++)
		most = std::max(most, depth(i));
	return most;
}

std::string AxisStep::label(double at) const
{
	return fmt::format("{:.{}f} {}", at / unit, digits, unit_name);
}

AxisStep axis_step(double length, double ticks)
{
	static constexpr struct {
		double ns;
		const char *name;
	} units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}, {1, "ns"}};
	const double wanted = std::max(1.0, length / ticks);
	const double power = std::pow(10.0, std::floor(std::log10(wanted)));
	double step = power * 10;

	for (const double factor : {5.0, 2.0, 1.0})
		if (power * factor >= wanted)
			step = power * factor;
	for (const auto &unit : units) {
		const double in_units = step / unit.ns;

		// One digit behind the point is read as fast as none.
		if (in_units >= 0.1)
			return {step, unit.ns, unit.name, in_units < 1};
	}
	return {step, 1, "ns", 0};
}

} // namespace grtrace
