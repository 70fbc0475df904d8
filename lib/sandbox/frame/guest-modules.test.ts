import { expect, test } from 'vitest'
import { createGuestTools, ToolError } from './guest-modules'

const asked = () => {
  const calls: (readonly [string, string])[] = []
  const tools = createGuestTools(['get_time', 'a-b'], async (name, args) => {
    calls.push([name, args])
    return { ok: true, text: '{"iso":"2026"}' }
  })
  return { calls, tools }
}

test('a tool is called with its arguments as JSON and returns a value', async () => {
  const { calls, tools } = asked()
  expect(await tools['get_time']?.({ zone: 'UTC' })).toEqual({ iso: '2026' })
  expect(await tools['a-b']?.()).toEqual({ iso: '2026' })
  expect(calls).toEqual([
    ['get_time', '{"zone":"UTC"}'],
    ['a-b', '{}'],
  ])
})

test.each([['text'], [5], [null], [['UTC']]])('arguments that are not an object are refused: %j', async (args) => {
  const { calls, tools } = asked()
  await expect(tools['get_time']?.(args)).rejects.toThrow(TypeError)
  expect(calls).toEqual([])
})

test('a failed call throws its sentence', async () => {
  const tools = createGuestTools(['get_time'], () => Promise.resolve({ ok: false, text: 'The user denied it.' }))
  await expect(tools['get_time']?.()).rejects.toThrow(new ToolError('The user denied it.'))
})

test('only the named tools exist, and code can add none', async () => {
  const { tools } = asked()
  expect([Object.keys(tools), 'then' in tools, 'constructor' in tools]).toEqual([['get_time', 'a-b'], false, false])
  expect(await Promise.resolve(tools)).toBe(tools)
  expect(() => Object.assign(tools, { get_time: null })).toThrow(TypeError)
})
