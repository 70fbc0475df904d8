import { expect, it } from 'vitest'
import { nameOfCode } from './code-fence'

it.each([
  ['python', null, 'x = 1', 'code.py'],
  ['ts', null, 'x', 'code.ts'],
  ['c++', null, 'x', 'code.cpp'],
  ['', null, 'x', 'code.txt'],
  ['Plain Text!', null, 'x', 'code.txt'],
  ['ts', 'title="src/app.ts"', 'x', 'src/app.ts'],
  ['ts', '{1,3} filename=app.ts', 'x', 'app.ts'],
  ['js:lib/a.js', null, 'x', 'lib/a.js'],
  ['src/main.rs', null, 'x', 'src/main.rs'],
  ['py', null, '# tools/run.py\nx = 1', 'tools/run.py'],
  ['html', null, '<!-- index.html -->\n<p>', 'index.html'],
  ['css', null, '/* style.css */', 'style.css'],
  ['js', null, '// see below\nx', 'code.js'],
  ['sh', 'title="../../etc/passwd"', 'x', 'code.sh'],
  ['sh', 'title="/etc/hosts.txt"', 'x', 'etc/hosts.txt'],
  ['js', 'title="con\u202Esj.exe"', 'x', 'code.js'],
])('%j %j %j is %j', (language, meta, text, name) => expect(nameOfCode({ language, meta, text })).toBe(name))
