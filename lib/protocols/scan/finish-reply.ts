import type { Breakage } from '../arguments/dialect'
import { canonicalJson } from '../types/canonical-json'
import { type CallProblem, type CallSegment, type ParsedReply, type Segment, tiled } from '../types/segment'
import type { Draft } from './draft'

/** The ends of a call's markup: a closing tag, a fence, an end marker. */
const CLOSED = /(?:<\/[\w\s]{1,40}>|```|~~~|\]>{2,4})\s*$/
/** The same, or the brackets that close a JSON call. */
const COMPLETE = /(?:<\/[\w\s]{1,40}>|```|~~~|\]>{2,4}|[}\]]\s*[}\]])\s*$/

interface Range {
  readonly start: number
  readonly end: number
}

/** Whether the markup around a broken call was closed. */
export const isClosed = (text: string, { start, end }: Range): boolean =>
  CLOSED.test(text.slice(Math.max(start, end - 80), end))

/** Whether a call that ends the reply has the brackets, or the fence, that end a JSON call. */
const hasJsonEnd = (text: string, { start, end }: Range): boolean =>
  text.slice(end).trim() === '' && /(?:```|~~~|[}\]]\s*[}\]])\s*$/.test(text.slice(Math.max(start, end - 80), end))

/** Whether the reply ends inside a broken call, so that the call was cut off. */
export const endsInside = (text: string, { start, end }: Range): boolean =>
  text.slice(end).trim() === '' && !COMPLETE.test(text.slice(Math.max(start, end - 80), end))

type CallDraft = Extract<Draft, { kind: 'call' }>

/** Turns drafts into the reply's segments: assigns ids by slot, marks duplicates, writes messages. */
export function finishReply(
  drafts: readonly Draft[],
  text: string,
  explain: (breakage: Breakage, around: string) => string,
): ParsedReply {
  const calls = drafts.filter((draft) => draft.kind === 'call')
  const ids = uniqueIds(calls)
  const duplicates = findDuplicates(calls)
  const messages = new Map<number, string>()
  let slot = 0
  const segments = drafts.map((draft): Segment => {
    const { start, end } = draft
    switch (draft.kind) {
      case 'text':
      case 'reasoning':
        return { kind: draft.kind, start, end }
      case 'call':
        return callSegment(draft, ids[slot++] ?? '', duplicates.has(draft))
      case 'broken': {
        const { at } = draft.breakage
        const name = /["{}[\]]/.test(draft.breakage.name ?? '') ? undefined : draft.breakage.name
        const inside = draft.breakage.reason === 'truncated' && endsInside(text, draft)
        // A reply that has its last brackets was not cut off: a string in it is unclosed.
        const reason =
          draft.breakage.reason === 'truncated' && hasJsonEnd(text, draft) ? 'bad-json' : draft.breakage.reason
        // One explanation is enough for everything that is broken in one list or tag.
        const known = draft.group === undefined ? undefined : messages.get(draft.group)
        const message = known ?? explain({ ...draft.breakage, reason, ...(inside ? { inside } : {}) }, draft.around)
        if (draft.group !== undefined) messages.set(draft.group, message)
        return {
          kind: 'broken',
          start,
          end,
          reason,
          message,
          ...(name === undefined ? {} : { name }),
          ...(at === undefined ? {} : { at }),
          ...(draft.dialect === undefined ? {} : { dialect: draft.dialect }),
        }
      }
    }
  })
  const all = tiled(segments, text.length)
  return { type: typeOf(all, (start, end) => text.slice(start, end).trim() === ''), segments: all }
}

function callSegment(draft: CallDraft, id: string, duplicate: boolean): CallSegment {
  const { call, start, end, standing, dialect } = draft
  const problem: CallProblem | null = call.problem ?? (duplicate ? { code: 'duplicate' } : null)
  return {
    kind: 'call',
    start,
    end,
    id,
    name: call.name,
    arguments: call.arguments,
    standing,
    verdict: call.repairs.length > 0 ? 'repaired' : 'ok',
    repairs: call.repairs,
    coercions: call.coercions,
    dialect,
    problem,
  }
}

function typeOf(segments: readonly Segment[], isBlank: (start: number, end: number) => boolean): ParsedReply['type'] {
  let live = false
  let other = false
  for (const segment of segments) {
    if (segment.kind === 'call' && segment.standing === 'live') live = true
    else if (segment.kind === 'text' ? !isBlank(segment.start, segment.end) : segment.kind !== 'reasoning') other = true
  }
  return !live ? 'text' : other ? 'mixed' : 'tool_call'
}

/** The model's own ids if they are unique in the message, else `call_N` by slot. */
function uniqueIds(calls: readonly CallDraft[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const { call } of calls) if (call.ownId !== null) counts.set(call.ownId, (counts.get(call.ownId) ?? 0) + 1)
  const own = calls.map(({ call }) => (call.ownId !== null && counts.get(call.ownId) === 1 ? call.ownId : null))
  const taken = new Set(own)
  return own.map((id, i) => {
    if (id !== null) return id
    let candidate = `call_${i + 1}`
    while (taken.has(candidate)) candidate += '_'
    taken.add(candidate)
    return candidate
  })
}

/** Finds repeated envelopes, and repeated calls inside one tag. */
function findDuplicates(calls: readonly CallDraft[]): ReadonlySet<CallDraft> {
  const live = calls.filter((draft) => draft.standing === 'live')
  const duplicates = new Set<CallDraft>()
  if (live.length < 2) return duplicates
  const groups = Map.groupBy(live, (draft) => draft.group)
  const signature = (draft: CallDraft) => `${draft.call.name} ${canonicalJson(draft.call.arguments)}`
  const envelopes = new Set<string>()
  for (const group of groups.values()) {
    const seen = new Set<string>()
    const envelope = group.some((draft) => draft.envelope)
    if (!envelope && group.length === 1) continue
    const signatures = group.map(signature)
    for (const [i, draft] of group.entries()) {
      const own = signatures[i] ?? ''
      if (!envelope && seen.has(own)) duplicates.add(draft)
      seen.add(own)
    }
    const whole = signatures.join('\n')
    if (envelope && envelopes.has(whole)) for (const draft of group) duplicates.add(draft)
    envelopes.add(whole)
  }
  return duplicates
}
