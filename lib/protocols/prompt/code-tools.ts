import type { ToolSpec } from '../types/tool-context-def'

/*
 * Code may call tools. The prompt already lists a typed signature for each, or `find_tools` finds it, so the code tools only
 * name them and show the form of a call. The prompt of a chat without tools of servers does not change.
 */

const SENTENCE = /^.*?[.!?](?=\s|$)/su
/** More names than these cost more tokens than they save. */
const maxNamed = 24

const ways = {
  javascript: 'await tools.name({…})',
  python: 'await tools.name(key=…)',
} as const

/** Adds the tools that code may call to the descriptions of the code tools. Returns the same array if there are none. */
export function withCodeTools(offered: readonly ToolSpec[], all: readonly ToolSpec[]): readonly ToolSpec[] {
  const callable = all.filter(({ fromCode, disabled }) => fromCode !== undefined && disabled !== true)
  const runners = offered.filter(({ callsTools }) => callsTools !== undefined)
  if (runners.length === 0 || callable.every(({ fromCode }) => fromCode === 'here')) return offered
  const listed = callable.filter(({ unlisted }) => unlisted !== true)
  const names = listed.slice(0, maxNamed).map(({ name }) => name)
  const isMore = listed.length > names.length || callable.length > listed.length
  const which = [...names, ...(isMore ? ['other tools of servers'] : [])].join(', ')
  return offered.map((spec) => {
    const { callsTools, ...rest } = spec
    if (callsTools === undefined) return spec
    const how = `The code can call tools with \`${ways[callsTools]}\`, which waits for the user and throws ToolError on refusal: ${which}.`
    const [first = ''] = SENTENCE.exec(spec.description) ?? []
    const head = `${first} ${how}`.trim()
    return { ...rest, uncut: head.length, description: `${head} ${spec.description.slice(first.length).trim()}`.trim() }
  })
}
