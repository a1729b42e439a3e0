// SPDX-License-Identifier: GPL-2.0
//
// Opening an output empties it. Before that can happen to a capture or another output,
// files are compared by inode and not by name.
#include "read/capture/output_names.h"

#include <utility>

#include <sys/stat.h>

#include "read/capture/capture_input.h"

namespace grtrace {

namespace {

// A file, or the place of a future file.
struct Place {
	bool is_there = false;
	dev_t dev = 0;
	ino_t ino = 0; // inode of the directory if the file does not exist
	std::string name; // name in that directory

	bool operator==(const Place &other) const = default;
};

bool find_place(const std::string &path, Place &place)
{
	struct stat st;

	if (path.empty() || path == "-")
		return false;
	place.is_there = !stat(path.c_str(), &st);
	if (place.is_there && !S_ISREG(st.st_mode))
		return false;
	if (!place.is_there) {
		const size_t slash = path.rfind('/');
		const std::string directory = slash == path.npos ? "." : path.substr(0, slash + 1);

		if (stat(directory.c_str(), &st))
			return false; // opening it will report why
		place.name = path.substr(slash == path.npos ? 0 : slash + 1);
	}
	place.dev = st.st_dev;
	place.ino = st.st_ino;
	return true;
}

} // namespace

Status check_outputs(const std::vector<OutputName> &outputs, const std::string &directory,
		     const std::vector<std::string> &captures)
{
	std::vector<std::string> inputs;
	std::vector<std::pair<Place, const OutputName *>> places;

	for (const std::string &name : captures)
		for (std::string &path : CaptureInput::paths(directory, name))
			inputs.push_back(std::move(path));
	for (const OutputName &output : outputs) {
		Place place, read;

		if (!find_place(output.path, place))
			continue;
		if (const std::string shadow = CaptureInput::shadow_of(output.path);
		    output.is_capture && !shadow.empty())
			return Status::error("{} {}: there is {}, which would be read instead of "
					     "it: give the output another name",
					     output.option, output.path, shadow);
		for (const std::string &input : inputs)
			if (find_place(input, read) && read == place)
				return Status::error(
					"{} {}: this is {}, which is an input: give the "
					"output another name",
					output.option, output.path, input);
		for (const auto &[other, by] : places)
			if (other == place)
				return Status::error("{} {}: {} writes to that file: give one of "
						     "them another name",
						     output.option, output.path, by->option);
		places.emplace_back(place, &output);
	}
	return {};
}

} // namespace grtrace
