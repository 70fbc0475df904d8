import { expect, test } from 'vitest'
import { commandFor } from './turn'

test.each([
  ['Write a file called hello.txt with the text Hello', 'write /hello.txt: Hello'],
  ['save "abc" to /notes/a.txt', 'write /notes/a.txt: abc'],
  ['write a file', 'write /notes/hello.md: Hello from a script.'],
  ['Can you read /notes/a.md?', 'read /notes/a.md'],
  ['please read a file', 'List the files of this chat, and read the first one'],
  ['what files are there?', 'list files /'],
  ['which files are in /notes?', 'list files /notes'],
  ['What is 6 * 7?', 'compute 6 * 7'],
  ['run javascript: 1+1', 'compute 1+1'],
  ['something broken please', 'a broken call'],
  ['call a tool that does not exist', 'an unknown tool'],
  ['make two calls', 'several calls'],
  ['run an endless loop', 'compute for (;;) {}'],
])('“%s” means “%s”', (task, command) => {
  expect(commandFor(task)).toBe(command)
})

test('a request for anything else means nothing', () => {
  expect(commandFor('Explain the French revolution.')).toBeNull()
})
