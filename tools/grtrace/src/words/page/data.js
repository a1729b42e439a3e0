// SPDX-License-Identifier: GPL-2.0
//
// The numbers in the page: base64 of LEB128 in script elements that nothing
// executes, see html_page.h and picture_bytes.h.

// All bytes of a part. The elements go: their text would be there twice.
function takePart(name) {
	const elements = document.querySelectorAll(`script[data-part="${name}"]`);
	const pieces = [];
	let size = 0;

	for (const element of elements) {
		const text = atob(element.textContent);
		const piece = new Uint8Array(text.length);

		for (let i = 0; i < text.length; i++)
			piece[i] = text.charCodeAt(i);
		pieces.push(piece);
		size += piece.length;
		element.remove();
	}
	const bytes = new Uint8Array(size);
	let at = 0;
	for (const piece of pieces) {
		bytes.set(piece, at);
		at += piece.length;
	}
	return bytes;
}

// Doubles are exact up to 2^53, which is 104 days in ns.
class Numbers {
	constructor(bytes, at = 0) {
		this.bytes = bytes;
		this.at = at;
	}

	next() {
		const bytes = this.bytes;
		let byte = bytes[this.at++];
		if (byte < 128)
			return byte;
		let value = byte & 127;
		let scale = 128;
		do {
			byte = bytes[this.at++];
			value += (byte & 127) * scale;
			scale *= 128;
		} while (byte > 127);
		return value;
	}

	signed() {
		const value = this.next();
		return value % 2 ? -(value + 1) / 2 : value / 2;
	}
}
