// SPDX-License-Identifier: GPL-2.0
/*
 * drawing: shows pictures in plain memory on a display, and says when.
 *
 *	drawing CARD FLIPS UPDATES CURSORS
 *
 * This many page flips, updates of a part of the picture, and new cursors, one
 * after the other and each waited for. The messages "drawing begins" and
 * "drawing ends" enclose them in the trace: what is between them is known to the
 * command. No libdrm, which not every system has.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <drm/drm.h>
#include <drm/drm_mode.h>

#include "grtrace_files.h"

#define CURSOR_SIZE	64
#define MODES_MAX	256

struct picture {
	uint32_t handle;
	uint32_t fb;
};

static int card;

static void die(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fprintf(stderr, "drawing: ");
	vfprintf(stderr, format, args);
	fprintf(stderr, "\n");
	va_end(args);
	exit(1);
}

static void call(unsigned long request, void *arg, const char *what)
{
	int ret;

	do {
		ret = ioctl(card, request, arg);
	} while (ret && (errno == EINTR || errno == EAGAIN));
	if (ret)
		die("cannot %s: %s", what, strerror(errno));
}

static struct drm_mode_create_dumb memory_get(uint32_t width, uint32_t height)
{
	struct drm_mode_create_dumb dumb = {
		.width = width,
		.height = height,
		.bpp = 32,
	};

	call(DRM_IOCTL_MODE_CREATE_DUMB, &dumb, "get memory for a picture");
	return dumb;
}

static struct picture picture_make(uint32_t width, uint32_t height)
{
	struct drm_mode_create_dumb dumb = memory_get(width, height);
	struct drm_mode_fb_cmd fb = {
		.width = width,
		.height = height,
		.pitch = dumb.pitch,
		.bpp = 32,
		.depth = 24,
		.handle = dumb.handle,
	};

	call(DRM_IOCTL_MODE_ADDFB, &fb, "make a picture of memory");
	return (struct picture) { .handle = dumb.handle, .fb = fb.fb_id };
}

/* The first of each kind will do. */
static void find_display(uint32_t *crtc, uint32_t *connector)
{
	uint32_t crtcs[16], connectors[16];
	struct drm_mode_card_res res = {
		.crtc_id_ptr = (uintptr_t)crtcs,
		.connector_id_ptr = (uintptr_t)connectors,
		.count_crtcs = 16,
		.count_connectors = 16,
	};

	call(DRM_IOCTL_MODE_GETRESOURCES, &res, "ask for displays");
	if (!res.count_crtcs || !res.count_connectors)
		die("the card has no display");
	*crtc = crtcs[0];
	*connector = connectors[0];
}

static struct drm_mode_modeinfo find_mode(uint32_t connector)
{
	static struct drm_mode_modeinfo modes[MODES_MAX];
	struct drm_mode_get_connector get = { .connector_id = connector };

	/* without room for modes it looks which there are */
	call(DRM_IOCTL_MODE_GETCONNECTOR, &get, "look at the display");
	if (!get.count_modes || get.count_modes > MODES_MAX)
		die("the display has %u modes", get.count_modes);
	get = (struct drm_mode_get_connector) {
		.connector_id = connector,
		.modes_ptr = (uintptr_t)modes,
		.count_modes = get.count_modes,
	};
	call(DRM_IOCTL_MODE_GETCONNECTOR, &get, "ask for the display's modes");
	return modes[0];
}

static void show_first(uint32_t crtc, uint32_t connector, uint32_t fb,
		       const struct drm_mode_modeinfo *mode)
{
	struct drm_mode_crtc set = {
		.set_connectors_ptr = (uintptr_t)&connector,
		.count_connectors = 1,
		.crtc_id = crtc,
		.fb_id = fb,
		.mode_valid = 1,
		.mode = *mode,
	};

	call(DRM_IOCTL_MODE_SETCRTC, &set, "show a picture");
}

static void flip_to(uint32_t crtc, uint32_t fb)
{
	struct drm_mode_crtc_page_flip args = {
		.crtc_id = crtc,
		.fb_id = fb,
		.flags = DRM_MODE_PAGE_FLIP_EVENT,
	};
	char event[1024];

	call(DRM_IOCTL_MODE_PAGE_FLIP, &args, "flip to a picture");
	if (read(card, event, sizeof(event)) < (ssize_t)sizeof(struct drm_event))
		die("no event tells of the flip: %s", strerror(errno));
}

static void redraw(uint32_t fb, unsigned int n)
{
	struct drm_clip_rect clip = {
		.x1 = n % 64,
		.y1 = n % 64,
		.x2 = n % 64 + 64,
		.y2 = n % 64 + 64,
	};
	struct drm_mode_fb_dirty_cmd args = {
		.fb_id = fb,
		.num_clips = 1,
		.clips_ptr = (uintptr_t)&clip,
	};

	call(DRM_IOCTL_MODE_DIRTYFB, &args, "draw a part of a picture anew");
}

static void set_cursor(uint32_t crtc, uint32_t handle)
{
	struct drm_mode_cursor2 args = {
		.flags = DRM_MODE_CURSOR_BO,
		.crtc_id = crtc,
		.width = CURSOR_SIZE,
		.height = CURSOR_SIZE,
		.handle = handle,
	};

	call(DRM_IOCTL_MODE_CURSOR2, &args, "set a cursor");
}

static unsigned int to_number(const char *text)
{
	char *end;
	unsigned long n = strtoul(text, &end, 10);

	if (*end || end == text || n > 100000)
		die("'%s' is not a number up to 100000", text);
	return n;
}

static void message(const char *text)
{
	if (grtrace_write("msg", text))
		die("cannot write to " GRTRACE_DIR "msg: %s", strerror(errno));
}

int main(int argc, char **argv)
{
	unsigned int i, flips, updates, cursors;
	uint32_t crtc, connector, cursor;
	struct drm_mode_modeinfo mode;
	struct picture pictures[2];

	if (argc != 5)
		die("usage: drawing CARD FLIPS UPDATES CURSORS");
	flips = to_number(argv[2]);
	updates = to_number(argv[3]);
	cursors = to_number(argv[4]);
	card = open(argv[1], O_RDWR | O_CLOEXEC);
	if (card < 0)
		die("cannot open %s: %s", argv[1], strerror(errno));
	find_display(&crtc, &connector);
	mode = find_mode(connector);
	for (i = 0; i < 2; i++)
		pictures[i] = picture_make(mode.hdisplay, mode.vdisplay);
	cursor = memory_get(CURSOR_SIZE, CURSOR_SIZE).handle;
	show_first(crtc, connector, pictures[0].fb, &mode);

	message("drawing begins");
	for (i = 1; i <= flips; i++)
		flip_to(crtc, pictures[i % 2].fb);
	for (i = 0; i < updates; i++)
		redraw(pictures[flips % 2].fb, i);
	for (i = 0; i < cursors; i++)
		set_cursor(crtc, cursor);
	message("drawing ends");
	return 0;
}
