# SPDX-License-Identifier: GPL-2.0
"""A headless Chromium, driven through its DevTools pipe.

The pipe needs nothing but Python's own library: messages are JSON that end with
a NUL, to the browser on descriptor 3 and from it on 4.
"""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ('chromium', 'chromium-headless-shell', 'chromium-browser', 'google-chrome')


def find():
	"""The browser that is installed, or None."""
	return next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
	"""One browser with one page. Keeps what the page said and asked for."""

	def __init__(self, width=1280, height=900):
		self.profile = tempfile.mkdtemp(prefix='grtrace-page-')
		to_browser, self.out = os.pipe()
		self.inp, from_browser = os.pipe()
		self.process = subprocess.Popen(
			['sh', '-c', f'exec "$0" "$@" 3<&{to_browser} 4>&{from_browser}', find(),
			 '--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage',
			 '--no-first-run', '--disable-extensions', '--disable-background-networking',
			 '--disable-component-update', '--disable-sync', '--hide-scrollbars',
			 f'--user-data-dir={self.profile}', f'--window-size={width},{height}',
			 '--remote-debugging-pipe', 'about:blank'],
			pass_fds=(to_browser, from_browser), stdin=subprocess.DEVNULL,
			stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
		os.close(to_browser)
		os.close(from_browser)
		self.number = 0
		self.rest = b''
		self.said = []  # console messages and exceptions
		self.asked = []  # addresses
		self.session = None
		self._attach(width, height)

	def _attach(self, width, height):
		targets = self.call('Target.getTargets')['targetInfos']
		page = next(one for one in targets if one['type'] == 'page')
		self.session = self.call('Target.attachToTarget', targetId=page['targetId'],
					 flatten=True)['sessionId']
		for domain in ('Page', 'Runtime', 'Log', 'Network'):
			self.call(f'{domain}.enable')
		self.size(width, height)

	def size(self, width, height, scale=1):
		self.call('Emulation.setDeviceMetricsOverride', width=width, height=height,
			  deviceScaleFactor=scale, mobile=False)

	def _message(self, until):
		while b'\0' not in self.rest:
			left = until - time.monotonic()
			if left <= 0 or not select.select([self.inp], [], [], left)[0]:
				raise TimeoutError('the browser does not answer')
			piece = os.read(self.inp, 1 << 20)
			if not piece:
				raise EOFError('the browser has ended')
			self.rest += piece
		message, self.rest = self.rest.split(b'\0', 1)
		return json.loads(message)

	def _note(self, message):
		method, about = message.get('method'), message.get('params', {})
		if method == 'Runtime.exceptionThrown':
			about = about['exceptionDetails']
			self.said.append(about.get('exception', about).get('description', about['text']))
		elif method == 'Runtime.consoleAPICalled':
			self.said.append(f"{about['type']}: {about['args']}")
		elif method == 'Log.entryAdded':
			self.said.append(f"{about['entry']['level']}: {about['entry']['text']}")
		elif method == 'Network.requestWillBeSent':
			self.asked.append(about['request']['url'])

	def call(self, method, timeout=120, **about):
		"""One command and its result."""
		self.number += 1
		message = {'id': self.number, 'method': method, 'params': about}
		if self.session:
			message['sessionId'] = self.session
		os.write(self.out, json.dumps(message).encode() + b'\0')
		until = time.monotonic() + timeout
		while True:
			answer = self._message(until)
			if answer.get('id') != self.number:
				self._note(answer)
			elif 'error' in answer:
				raise RuntimeError(f"{method}: {answer['error']}")
			else:
				return answer['result']

	def eval(self, expression):
		"""The value of an expression in the page; of a promise, when it is kept."""
		answer = self.call('Runtime.evaluate', expression=expression, returnByValue=True,
				   awaitPromise=True)
		if 'exceptionDetails' in answer:
			raise RuntimeError(answer['exceptionDetails']['exception'].get('description'))
		return answer['result'].get('value')

	def open(self, path):
		self.said.clear()
		self.asked.clear()
		self.call('Page.navigate', url=f'file://{os.path.abspath(path)}')

	def wait(self, expression, seconds=60):
		"""Until it is true; False when it does not come to that."""
		until = time.monotonic() + seconds
		while time.monotonic() < until:
			if self.eval(f'Boolean({expression})'):
				return True
			time.sleep(0.02)
		return False

	def frame(self):
		"""Until what changed is drawn."""
		self.eval('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')

	def mouse(self, kind, x, y, **more):
		self.call('Input.dispatchMouseEvent', type=kind, x=x, y=y, **more)

	def wheel(self, x, y, turn):
		self.mouse('mouseWheel', x, y, deltaX=0, deltaY=turn)
		self.frame()

	def click(self, x, y):
		self.mouse('mouseMoved', x, y)
		self.mouse('mousePressed', x, y, button='left', buttons=1, clickCount=1)
		self.mouse('mouseReleased', x, y, button='left', clickCount=1)
		self.frame()

	def drag(self, x, y, to_x, to_y):
		self.mouse('mouseMoved', x, y)
		self.mouse('mousePressed', x, y, button='left', buttons=1, clickCount=1)
		for part in (0.3, 0.6, 1):
			self.mouse('mouseMoved', x + (to_x - x) * part, y + (to_y - y) * part,
				   button='left', buttons=1)
		self.mouse('mouseReleased', to_x, to_y, button='left', clickCount=1)
		self.frame()

	def key(self, key, **more):
		text = {'text': key} if len(key) == 1 else {'text': '\r'} if key == 'Enter' else {}
		code = {'Tab': 9, 'Enter': 13, 'Escape': 27, 'ArrowLeft': 37, 'ArrowRight': 39}.get(key)
		if code:
			more['windowsVirtualKeyCode'] = code
		self.call('Input.dispatchKeyEvent', type='keyDown', key=key, **text, **more)
		self.call('Input.dispatchKeyEvent', type='keyUp', key=key, **more)
		self.frame()

	def scheme(self, name):
		self.call('Emulation.setEmulatedMedia',
			  features=[{'name': 'prefers-color-scheme', 'value': name}])
		self.frame()

	def picture(self, path):
		image = self.call('Page.captureScreenshot', format='png', captureBeyondViewport=False)
		with open(path, 'wb') as file:
			file.write(base64.b64decode(image['data']))

	def close(self):
		try:
			self.session = None
			self.call('Browser.close', timeout=10)
		except (OSError, EOFError, TimeoutError, RuntimeError):
			pass
		try:
			self.process.wait(10)
		except subprocess.TimeoutExpired:
			self.process.kill()
			self.process.wait()
		os.close(self.out)
		os.close(self.inp)
		shutil.rmtree(self.profile, ignore_errors=True)
