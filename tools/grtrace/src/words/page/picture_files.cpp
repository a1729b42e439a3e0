// SPDX-License-Identifier: GPL-2.0
#include "words/page/picture_files.h"

#include "words/page/html_page.h"
#include "words/page/svg_picture.h"

namespace grtrace {

Status PictureFiles::open(const std::string &html, const std::string &svg)
{
	Status status;

	if (!html.empty())
		status = html_.replace(html);
	if (status.ok() && !svg.empty())
		status = svg_.replace(svg);
	return status;
}

void PictureFiles::write(std::vector<HtmlCapture> &captures)
{
	if (html_.is_open())
		HtmlPage(html_).write(captures);
	if (svg_.is_open())
		SvgPicture(svg_).write(captures);
}

} // namespace grtrace
