import type { Draft } from './draft'

/** The heads of the parts of our own system prompt; the calls below the first one are examples. */
export const PROTOCOL_HEAD = '# Calling tools'
export const RULES_HEAD = 'Rules:'

/** From the head of the protocol to its rules, whatever level of heading the model gives it. */
const BLOCK =
  /^[ \t]{0,8}(?:#{1,6}[ \t]{1,4}|[*]{2})Calling tools[*]{0,2}[ \t]{0,8}\r?\n\s{0,80}To call (?:a tool|tools), write [^\n]{1,200}:[ \t]{0,8}\r?$/gm
const RULES = /^[ \t]{0,8}(?:#{1,6} |[*]{2})?Rules:[*]{0,2}[ \t]{0,8}\r?$/m
/** The sentences that introduce an example, each a whole line right above the call or the fence of the call. */
const INTRODUCED =
  /(?:^|\n)[ \t]{0,8}(?:To call (?:a tool|tools), write |Inside texts, write |Nothing inside a value is escaped\.|A text with line breaks or any of )[^\n]{1,200}:\s{0,80}$/
const MAX_INTRODUCTION = 400

/** What only our prompt says, outside of its examples, so that no other reply pays for the look. */
const HINT =
  /To call (?:a tool|tools), write |Inside texts, write |Nothing inside a value is escaped\.|A text with line breaks or any of /

const saysHint = ({ kind, start, end }: Draft, text: string): boolean =>
  (kind === 'text' || kind === 'reasoning') && HINT.test(text.slice(start, end))

/**
 * A reply that repeats our own prompt asks for nothing: the example calls between the heading of the protocol and its rules,
 * and a call right below a sentence that introduces an example, are quoted.
 */
export function quoteOwnPrompt(drafts: readonly Draft[], text: string): readonly Draft[] {
  const mayBeExample = (draft: Draft) => draft.kind === 'call' && draft.standing !== 'quoted'
  if (!drafts.some(mayBeExample) || !drafts.some((draft) => saysHint(draft, text))) return drafts
  const blocks = [...text.matchAll(BLOCK)].map((found) => {
    const from = found.index + found[0].length
    const rules = RULES.exec(text.slice(from))
    return { from, to: rules ? from + rules.index : from }
  })
  return drafts.map((draft) => {
    if (draft.kind !== 'call' || draft.standing === 'quoted') return draft
    const isExample =
      blocks.some(({ from, to }) => draft.start >= from && draft.end <= to) ||
      INTRODUCED.test(text.slice(Math.max(0, draft.start - MAX_INTRODUCTION), draft.start))
    return isExample ? { ...draft, standing: 'quoted' } : draft
  })
}
