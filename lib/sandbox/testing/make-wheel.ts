import { createHash } from 'node:crypto'
import type { PythonPackage } from '../python-packages'
import { makeZip, type ZipMembers } from '../documents/testing/make-zip'

export interface WheelPlan {
  readonly name: string
  readonly version?: string
  readonly members?: ZipMembers
  readonly requires?: readonly string[]
  readonly tag?: string
  /** The size that the archive states for each member. */
  readonly claim?: number
}

export interface MadeWheel extends PythonPackage {
  readonly data: Uint8Array<ArrayBuffer>
}

/** A wheel as pip would build it, without its RECORD, which nothing here reads. */
export function makeWheel({
  name,
  version = '1.0',
  members,
  requires = [],
  tag = 'py3-none-any',
  claim,
}: WheelPlan): MadeWheel {
  const folder = name.replaceAll('-', '_')
  const info = `${folder}-${version}.dist-info`
  const metadata = [
    'Metadata-Version: 2.4',
    `Name: ${name}`,
    `Version: ${version}`,
    'License-Expression: MIT',
    `Home-page: https://example.test/${name}`,
    ...requires.map((each) => `Requires-Dist: ${each}`),
  ]
  const made = makeZip(
    {
      ...(members ?? { [`${folder}/__init__.py`]: `name = "${name} ${version}"\n` }),
      [`${info}/METADATA`]: `${metadata.join('\n')}\n\nA package.\n`,
      [`${info}/WHEEL`]: 'Wheel-Version: 1.0\nGenerator: nod\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
      [`${info}/licenses/LICENSE`]: `The MIT License of ${name}`,
      [`${info}/RECORD`]: '',
    },
    claim,
  )
  const data = new Uint8Array(made)
  return {
    name,
    version,
    imports: [folder],
    depends: requires.flatMap((each) => /^[\w-]+/.exec(each)?.[0] ?? []),
    file: `${folder}-${version}-${tag}.whl`,
    sha256: createHash('sha256').update(data).digest('hex'),
    bytes: data.byteLength,
    licence: 'MIT',
    source: `https://example.test/${name}`,
    data,
  }
}

/**
 * A native module of one function, `add(a, b)`, for Python 3.14 in WebAssembly: 655 bytes, from C with the names and structs that
 * CPython has on a 32-bit machine, compiled by clang 14 and linked by its `wasm-ld --experimental-pic -shared --strip-all`:
 *
 *   static PyObject *add(PyObject *self, PyObject *args) {
 *     long a = 0, b = 0;
 *     return PyArg_ParseTuple(args, "ll", &a, &b) ? PyLong_FromLong(a + b) : 0;
 *   }
 *   PyMODINIT_FUNC PyInit_nodnative(void) { return PyModule_Create2(&definition, 1013); }
 */
const nativeModule =
  'AGFzbQEAAAAAEAhkeWxpbmsuMAEFgAEEAQABGgVgAn9/AX9gA39/fwF/YAF/AX9gAABgAAF/ArUBCANlbnYGbWVtb3J5AgABA2VudhlfX2luZG' +
  'lyZWN0X2Z1bmN0aW9uX3RhYmxlAXAAAQNlbnYPX19zdGFja19wb2ludGVyA38BA2Vudg1fX21lbW9yeV9iYXNlA38AA2VudgxfX3RhYmxlX2Jh' +
  'c2UDfwADZW52EFB5TW9kdWxlX0NyZWF0ZTIAAANlbnYQUHlBcmdfUGFyc2VUdXBsZQABA2Vudg9QeUxvbmdfRnJvbUxvbmcAAgMFBAMDBAAHKA' +
  'IRX193YXNtX2NhbGxfY3RvcnMAAxBQeUluaXRfbm9kbmF0aXZlAAUIAQQJBwEAIwILAQYK1wEEBAAQBAs6ACMBQTRqIwFBA2o2AgAjAUHAAGoj' +
  'AUHgAGo2AgAjAUHgAGojAUENajYCACMBQeQAaiMCQQBqNgIACxgAI4GAgIAAQaCAgIAAakH1BxCAgICAAAt8AQN/I4CAgIAAQRBrIgIkgICAgA' +
  'BBACEDIAJBADYCDCACQQA2AggjgYCAgAAhBCACIAJBDGo2AgAgAiACQQhqNgIEAkAgASAEQYCAgIAAaiACEIGAgIAARQ0AIAIoAgggAigCDGoQ' +
  'goCAgAAhAwsgAkEQaiSAgICAACADCwuHAQEAIwELgAFsbABub2RuYXRpdmUAYWRkAAAAAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAAAA' +
  'AAAwAAAAAAAAD/////YAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAANAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=='

export const nativeWheel = makeWheel({
  name: 'nodnative',
  tag: 'cp314-cp314-pyemscripten_2026_0_wasm32',
  members: { 'nodnative.cpython-314-wasm32-emscripten.so': Buffer.from(nativeModule, 'base64') },
})
