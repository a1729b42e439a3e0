// SPDX-License-Identifier: GPL-2.0
//
// The options that choose jobs.
#pragma once

#include "lib/options/word_options.h"
#include "words/filter/job_filter.h"

namespace grtrace {

// T must have a job_filter().
template <typename T>
inline constexpr WordOption<T> ring_option = {
	0, "ring", "RING[,...]", "only jobs of these rings: id, name or device/name",
	[](T &o, const std::string &argument) { return o.job_filter().rings.add_rings(argument); }};
template <typename T>
inline constexpr WordOption<T> device_option = {
	0, "dev", "DEV[,...]",
	"only jobs of these devices: card0, renderD128, PCI address, or number as grparse shows it",
	[](T &o, const std::string &argument) {
		return o.job_filter().rings.add_devices(argument);
	}};
template <typename T>
inline constexpr WordOption<T> engine_option = {
	0, "engine", "CLASS[,...]",
	"only jobs of rings of these classes: name, letter or number; 0x...: a mask of them",
	[](T &o, const std::string &argument) {
		return o.job_filter().rings.add_engines(argument);
	}};
template <typename T>
inline constexpr WordOption<T> engine_mask_option = {
	0, "engine-mask", "CLASS[,...]", "the same as --engine",
	[](T &o, const std::string &argument) {
		return o.job_filter().rings.add_engines(argument);
	}};
template <typename T>
inline constexpr WordOption<T> pid_option = {
	0, "pid", "PID[,...]",
	"only jobs that these threads or processes submitted: number or name",
	[](T &o, const std::string &argument) { return o.job_filter().add_pids(argument); }};
template <typename T>
inline constexpr WordOption<T> client_option = {
	0, "client", "ID[,...]", "only jobs of these DRM clients: drm-client-id, or vm_update etc.",
	[](T &o, const std::string &argument) { return o.job_filter().add_clients(argument); }};
template <typename T>
inline constexpr WordOption<T> context_option = {
	0, "ctx", "CTX[,...]", "only jobs of these contexts",
	[](T &o, const std::string &argument) { return o.job_filter().add_contexts(argument); }};

} // namespace grtrace
