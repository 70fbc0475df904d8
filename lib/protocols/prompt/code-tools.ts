import type { ToolSpec } from '../types/tool-context-def'

/*
 * Code that runs may call tools. Their definitions are in the prompt already, each with a typed signature, or `find_tools` finds
 * them; so the code tools name them and say how they are called. Chats without tools of servers keep their prompt byte for byte.
 */

const SENTENCE = /^.*?[.!?](?=\s|$)/su
/** More names than these cost more than they help. */
const maxNamed = 24

const ways = {
  javascript: 'await tools.name({…})',
  python: 'await tools.name(key=…)',
} as const

/** The offered tools, with what code may call said of those that run code; the same array where there is nothing to say. */
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
    const said = `The code can call tools with \`${ways[callsTools]}\`, which waits for the user and throws ToolError on refusal: ${which}.`
    const [first = ''] = SENTENCE.exec(spec.description) ?? []
    const head = `${first} ${said}`.trim()
    return { ...rest, uncut: head.length, description: `${head} ${spec.description.slice(first.length).trim()}`.trim() }
  })
}
