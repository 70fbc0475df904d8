import { labWhy, type LabWhy } from '@/lib/client/lab/lab-why'
import { explainReply } from '@/lib/protocols/explain/explain-reply'
import type { CallSegment, ParsedReply } from '@/lib/protocols/types/segment'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { envelopeReplies, envelopeStrategy } from '@/lib/protocols/envelope-reply'
import type { ToolSpec, ReplyForm } from '@/lib/protocols/types/tool-context-def'
import type { ExpectedCall, Probe, ProbeRound } from '../probe'
import { canonicalJson } from '@/lib/protocols/types/canonical-json'
import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'

/*
 * Compares the arguments of a call by the rules of the Berkeley leaderboard: each argument must be one of the allowed
 * values; `''` among them: it may be left out; texts are compared without spaces, case and `, . / - _ * ^`, and with
 * one kind of quote. Beyond its rules, an optional argument may be given with its default or be left out for it, and an
 * argument may be `exact`, where every character counts.
 */

/** Why the arguments are wrong: the first wrong one, in the expected order. */
interface Mismatch {
  readonly argument: string
  readonly how: 'missing' | 'unexpected' | 'other-value'
}

/** Null: they are right. `schema` is the tool's parameters. */
export function findMismatch(given: JsonObject, expected: ExpectedCall, schema: JsonObject): Mismatch | null {
  const { exact = [] } = expected
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {}
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  const defaultOf = (argument: string): JsonValue | undefined => {
    const property = Object.hasOwn(properties, argument) ? properties[argument] : undefined
    return required.includes(argument) || !isJsonObject(property) ? undefined : property['default']
  }
  for (const [argument, allowed] of Object.entries(expected.arguments)) {
    const alike = exact.includes(argument) ? sameExactly : sameLoosely
    const fallback = defaultOf(argument)
    const mayLack = allowed.includes('') || (fallback !== undefined && allowed.some((value) => alike(fallback, value)))
    if (!Object.hasOwn(given, argument)) {
      if (mayLack) continue
      return { argument, how: 'missing' }
    }
    const value = given[argument] as JsonValue
    const isDefault = mayLack && fallback !== undefined && alike(value, fallback)
    if (!isDefault && !allowed.some((one) => alike(value, one))) return { argument, how: 'other-value' }
  }
  for (const [argument, value] of Object.entries(given)) {
    if (Object.hasOwn(expected.arguments, argument)) continue
    const fallback = defaultOf(argument)
    if (fallback === undefined || !sameLoosely(value, fallback)) return { argument, how: 'unexpected' }
  }
  return null
}

const sameExactly = (value: JsonValue, wanted: JsonValue): boolean =>
  value === wanted || (typeof value === 'object' && canonicalJson(value) === canonicalJson(wanted))

/** The part of a text that is compared. */
const plainText = (text: string): string =>
  text
    .replaceAll(/[ ,./\-_*^]/g, '')
    .toLowerCase()
    .replaceAll("'", '"')

function sameLoosely(value: JsonValue, wanted: JsonValue): boolean {
  if (typeof value === 'string') return typeof wanted === 'string' && plainText(value) === plainText(wanted)
  if (Array.isArray(value)) {
    return (
      Array.isArray(wanted) &&
      value.length === wanted.length &&
      value.every((one, at) => sameLoosely(one, wanted[at] as JsonValue))
    )
  }
  if (!isJsonObject(value)) return value === wanted
  return isJsonObject(wanted) && sameObject(value, wanted)
}

/** Inside an object each value is an allowed one, or a list of allowed ones. */
function sameObject(value: JsonObject, wanted: JsonObject): boolean {
  if (Object.keys(value).some((key) => !Object.hasOwn(wanted, key))) return false
  return Object.entries(wanted).every(([key, allowed]) => {
    const list: readonly JsonValue[] = Array.isArray(allowed) ? allowed : [allowed]
    if (!Object.hasOwn(value, key)) return Array.isArray(allowed) && allowed.includes('')
    const own = value[key] as JsonValue
    return list.some((one) => sameLoosely(own, one)) || (Array.isArray(allowed) && sameLoosely(own, allowed))
  })
}

/** Question marks of several scripts at the end of a sentence, and the usual ways to ask without one. */
const ASKS =
  /[?？؟;](?:["'”’»)\]*_]|\s|$)|\b(?:please (?:tell|give|provide|specify|share|confirm|let)|(?:could|can|would) you|let me know|i(?:'|’)?(?: wi)?ll need|i need (?:to know|the|your|a|more|some)|need (?:more|some) (?:information|details)|which|what (?:is|are|time|date|address)|tell me)\b/i

/**
 * Whether a text asks the user for something. Greek uses a semicolon for questions, which counts only after Greek
 * letters.
 */
function asksSomething(text: string): boolean {
  const withoutLatinSemicolons = text.replaceAll(/(?<![\u0370-\u03ff\u1f00-\u1fff]);/g, ',')
  return ASKS.test(withoutLatinSemicolons)
}

/**
 * The outcomes of a trial, in the order of reports. With `right` and `repaired` the user would have got the right
 * result.
 */
export const verdicts = [
  'right',
  'repaired',
  'wrong-arguments',
  'wrong-tool',
  'unreadable',
  'no-call',
  'false-call',
] as const

export type Verdict = (typeof verdicts)[number]

export const isVerdict = (value: unknown): value is Verdict => (verdicts as readonly unknown[]).includes(value)

/** Whether the calls, or their absence, were as expected. */
export const isSuccess = (verdict: Verdict): boolean => verdict === 'right' || verdict === 'repaired'

export interface Judgement {
  readonly verdict: Verdict
  readonly why: LabWhy
}

/** A model's reply in one round. */
export interface WrittenReply {
  readonly text: string
  /** `length`: it reached the limit of the model, so it is not read for calls. */
  readonly outcome: 'finished' | 'length'
}

/** One parsed round: its verdict, and which expected call each live call is; null: none. */
export interface JudgedRound extends Judgement {
  readonly calls: readonly CallSegment[]
  readonly partners: readonly (number | null)[]
}

// Judging needs every form.
toolContextBuilder.learnWhole(envelopeReplies)

/** A reply as the product parses it, with the probe's tools. */
export const readReply = ({ functions }: Probe, form: ReplyForm, text: string): ParsedReply =>
  toolContextBuilder.parseResponse(form, text, functions)

/** Calls that would wait for a click; a repeated call does not. */
export const liveCalls = ({ segments }: ParsedReply): readonly CallSegment[] =>
  segments.filter(
    (segment): segment is CallSegment =>
      segment.kind === 'call' && segment.standing === 'live' && segment.problem?.code !== 'duplicate',
  )

/** Judges one reply against what its round expects. */
export function judgeRound(probe: Probe, round: ProbeRound, form: ReplyForm, reply: WrittenReply): JudgedRound {
  const { text, outcome } = reply
  const parsed = readReply(probe, form, text)
  const calls = outcome === 'finished' ? liveCalls(parsed) : []
  const none = { calls, partners: calls.map(() => null) }
  if (outcome === 'length') return { ...none, verdict: 'unreadable', why: labWhy('lab.why.cut-off') }
  const attempt = findAttempt(probe.functions, form, text, parsed)
  if (round.expect === 'words') return { ...none, ...judgeWords(round, text, parsed, calls, attempt) }
  if (attempt?.isBroken === true || (calls.length === 0 && attempt)) {
    return { ...none, verdict: 'unreadable', why: attempt.why }
  }
  return judgeCalls(probe.functions, round.calls, calls, text)
}

/** Judges all rounds together: the first wrong one decides; a repair applies to the whole. */
export function judgeTrial(rounds: readonly Judgement[]): Judgement {
  const failed = rounds.find(({ verdict }) => !isSuccess(verdict))
  const repaired = rounds.find(({ verdict }) => verdict === 'repaired')
  return failed ?? repaired ?? rounds.at(-1) ?? { verdict: 'no-call', why: labWhy('lab.why.no-call') }
}

interface Attempt {
  readonly isBroken: boolean
  readonly why: LabWhy
}

/**
 * Finds text that looks like a call but would not wait for a click: damaged, quoted, in another dialect, or nearly a
 * call.
 */
function findAttempt(
  functions: readonly ToolSpec[],
  form: ReplyForm,
  text: string,
  reply: ParsedReply,
): Attempt | null {
  const broken = reply.segments.find(({ kind }) => kind === 'broken')
  if (broken?.kind === 'broken') return { isBroken: true, why: labWhy('lab.why.broken', { reason: broken.reason }) }
  const apart = reply.segments.filter((segment): segment is CallSegment => segment.kind === 'call')
  const foreign = apart.find(({ standing }) => standing === 'foreign')
  if (foreign) return { isBroken: false, why: labWhy('lab.why.foreign', { dialect: foreign.dialect }) }
  if (apart.some(({ standing }) => standing === 'quoted')) return { isBroken: false, why: labWhy('lab.why.quoted') }
  // Text in JSON is not a near call.
  if (reply.segments.some((one) => one.kind === 'text' && one.said !== undefined)) return null
  const strategy = form === 'whole' ? envelopeStrategy : form
  const miss = explainReply(text, reply, { strategy, tools: functions, limit: 20 }).items.find(
    ({ tone }) => tone === 'miss',
  )
  return miss ? { isBroken: false, why: labWhy('lab.why.nearly') } : null
}

function judgeWords(
  { asks }: { readonly asks?: true },
  text: string,
  { segments }: ParsedReply,
  calls: readonly CallSegment[],
  attempt: Attempt | null,
): Judgement {
  const [first] = calls
  if (first) return { verdict: 'false-call', why: labWhy('lab.why.false-call', { name: first.name }) }
  // A damaged call or one in another dialect counts as a call; a quoted one may be what the probe asks for.
  const foreign = segments.some((segment) => segment.kind === 'call' && segment.standing === 'foreign')
  if (attempt && (attempt.isBroken || foreign)) return { verdict: 'false-call', why: attempt.why }
  const words = segments
    .filter(({ kind }) => kind !== 'reasoning')
    .map((one) => (one.kind === 'text' ? one.said : undefined) ?? text.slice(one.start, one.end))
    .join('')
  if (words.trim() === '') return { verdict: 'unreadable', why: labWhy('lab.why.empty') }
  if (asks === true && !asksSomething(words)) return { verdict: 'no-call', why: labWhy('lab.why.did-not-ask') }
  return { verdict: 'right', why: labWhy(asks ? 'lab.why.asked' : 'lab.why.words') }
}

function judgeCalls(
  functions: readonly ToolSpec[],
  expected: readonly ExpectedCall[],
  calls: readonly CallSegment[],
  text: string,
): JudgedRound {
  const schemaOf = (name: string) => functions.find((one) => one.name === name)?.parameters ?? {}
  const mismatches: readonly (readonly Found[])[] = calls.map((call) =>
    expected.map((one) => {
      if (call.name !== one.name) return 'other-tool'
      return findMismatch(call.arguments, one, schemaOf(one.name))
    }),
  )
  const partners = pairCalls(
    mismatches.map((row, at) => row.map((found) => found === null && (calls[at]?.problem ?? null) === null)),
  )
  const judged = (verdict: Verdict, why: LabWhy): JudgedRound => ({ verdict, why, calls, partners })

  if (calls.length === 0) {
    return judged(
      text.trim() === '' ? 'unreadable' : 'no-call',
      labWhy(text.trim() === '' ? 'lab.why.empty' : 'lab.why.no-call'),
    )
  }
  const stray = calls.find(({ name }) => !expected.some((one) => one.name === name))
  if (stray) return judged('wrong-tool', labWhy('lab.why.wrong-tool', { name: stray.name, wanted: namesOf(expected) }))
  const at = partners.indexOf(null)
  if (at < 0 && calls.length === expected.length) {
    const mended = calls.flatMap(({ verdict, repairs }) => (verdict === 'repaired' ? repairs : []))
    const isMended = calls.some(({ verdict }) => verdict === 'repaired')
    return isMended
      ? judged('repaired', labWhy('lab.why.repaired', { repairs: [...new Set(mended)] }))
      : judged('right', labWhy('lab.why.right'))
  }
  const count = { calls: calls.length, wanted: expected.length }
  // The calls that were made are right, but some are missing.
  if (at < 0) return judged('no-call', labWhy('lab.why.too-few', count))
  if (calls.length > expected.length && partners.filter((one) => one !== null).length === expected.length) {
    return judged('false-call', labWhy('lab.why.too-many', count))
  }
  return judged('wrong-arguments', whyWrong(calls[at], mismatches[at] ?? []))
}

type Found = Mismatch | 'other-tool' | null

function whyWrong(call: CallSegment | undefined, found: readonly Found[]): LabWhy {
  const name = call?.name ?? ''
  if (call?.problem?.code === 'invalid-arguments') {
    const [issue] = call.problem.issues
    return labWhy('lab.why.invalid', {
      name,
      argument: issue?.path ?? '',
      problem: issue?.message ?? '',
      ...(issue && { issue: { reason: issue.reason, values: issue.values } }),
    })
  }
  const mismatch = found.find((one): one is Mismatch => one !== null && one !== 'other-tool')
  if (!mismatch) return labWhy('lab.why.same-twice', { name })
  return labWhy(`lab.why.${mismatch.how}`, { name, argument: mismatch.argument })
}

const namesOf = (expected: readonly ExpectedCall[]): string => [...new Set(expected.map(({ name }) => name))].join(', ')

/**
 * Pairs calls with expected ones so that as many as possible match, in any order. Returns for each call the index of
 * its partner, or null. `fits[call][expected]`.
 */
export function pairCalls(fits: readonly (readonly boolean[])[]): readonly (number | null)[] {
  const callOf = new Map<number, number>()

  /** Finds a partner, also by moving calls that have another choice. */
  function place(call: number, seen: Set<number>): boolean {
    for (const [expected, fit] of (fits[call] ?? []).entries()) {
      if (!fit || seen.has(expected)) continue
      seen.add(expected)
      const holder = callOf.get(expected)
      if (holder !== undefined && !place(holder, seen)) continue
      callOf.set(expected, call)
      return true
    }
    return false
  }

  for (const call of fits.keys()) place(call, new Set())
  const partners = new Map([...callOf].map(([expected, call]) => [call, expected]))
  return fits.map((_, call) => partners.get(call) ?? null)
}
