import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'
import { err, ok, type Result } from '@/lib/base/result'
import { t } from '@/lib/i18n/t'
import { needsResultApproval, type ToolFacts } from '@/lib/shared/calls/approval-policy'
import type { CallToWrite } from '@/lib/protocols/types/tool-context-def'
import type { ToolCallConfig } from '@/lib/shared/conversation/conversation'
import type { CallOutcome } from '@/lib/shared/conversation/call-record'
import { memoryTool } from '@/lib/shared/conversation/settings/project'
import { kindOfMember, type FindInTexts, type SecretKind } from '@/lib/shared/secrets/find-secrets'
import {
  fillPlaceholders,
  holdsPlaceholder,
  mapTexts,
  placeholderOf,
  placeholdersIn,
} from '@/lib/shared/secrets/placeholders'
import { knownValues, spellings, type FoundValue, type KnownSecret, type NumberLane, type SecretVault } from './vault'

/*
 * Protects secrets between the browser and the server. Before a call runs in this browser, the placeholders in its
 * arguments are replaced by their values. Before an outcome is stored, its secret values are replaced by placeholders.
 */

/** A call and its position in the chat. */
export interface CallPlace {
  readonly conversationId: string
  /** The reply that contains the call. */
  readonly messageId: string
  /** Message ids from the beginning of the chat to the reply. */
  readonly path: readonly string[]
  readonly call: CallToWrite
  /** Nod's server runs the call with the stored arguments: an operator's tool server, or the web. */
  readonly isRelayed?: boolean
}

export interface SealedOutcome {
  readonly outcome: CallOutcome
  /** The user must look at it although no setting says so: it contained unknown keys. */
  readonly hold: boolean
}

export interface CallSecrets {
  /** The arguments with values, or a sentence if a placeholder can't be replaced. */
  fill(place: CallPlace): Promise<Result<JsonObject, string>>
  /** The outcome as it may leave the browser. `lane`: the numbers for its placeholders. */
  seal(
    place: CallPlace,
    outcome: CallOutcome,
    rules: { readonly tool: ToolFacts | undefined; readonly config: ToolCallConfig; readonly lane: () => NumberLane },
  ): Promise<SealedOutcome>
  /** A call that the user changed, with placeholders for known values. */
  hide(conversationId: string, call: CallToWrite): Promise<CallToWrite>
}

const anyNumber: NumberLane = { above: 0, lane: 0, of: 1 }
const keysOnly: ReadonlySet<SecretKind> = new Set(['key'])

export function createCallSecrets(vaultOf: (conversationId: string) => SecretVault, find: FindInTexts): CallSecrets {
  return {
    async fill(place) {
      const { call, isRelayed } = place
      const numbers = placeholdersIn(call.arguments)
      const [first] = numbers
      if (first === undefined) return ok(call.arguments)
      // Both take the arguments from the server, which does not have the values.
      if (isRelayed) return err(t('secrets.not-relayed'))
      if (call.name === memoryTool) return err(t('secrets.not-memory'))
      const known = secretsOf(await vaultOf(place.conversationId).list(), place.path)
      const missing = numbers.find((number) => !known.has(number))
      if (missing !== undefined) return err(t('secrets.unknown', { placeholder: placeholderOf(missing) }))
      const filled = fillPlaceholders(call.arguments, (number) => known.get(number)?.value)
      return ok(isJsonObject(filled) ? filled : call.arguments)
    },

    async seal({ conversationId, messageId }, outcome, { tool, config, lane }) {
      const vault = vaultOf(conversationId)
      const known = await vault.list()
      const texts = textsOf(outcome)
      const again = new Set<KnownSecret>()
      const values = knownValues(known)
      for (const text of texts) values.replace(text, again)
      const isPageVisible = needsResultApproval(tool, config, outcome)
      // The user just wrote this for the model, so it is not searched.
      const isAnswer = tool?.policy.asksUser === true
      const found = isAnswer ? [] : await findValues(outcome, texts, find, isPageVisible ? undefined : keysOnly)
      // Another spelling of a known value is no new one.
      const spelled = new Set(known.flatMap((one) => [one.value, ...spellings(one)]))
      const fresh = found.filter(({ value }) => !spelled.has(value) && !holdsPlaceholder(value))
      if (fresh.length + again.size === 0) return { outcome, hold: false }
      const kept = await vault.keep([...fresh, ...again], messageId, fresh.length === 0 ? anyNumber : lane())
      const ended = outcome.status === 'completed' || outcome.status === 'error'
      const hidden = knownValues(kept)
      return { outcome: mapOutcome(outcome, (text) => hidden.replace(text)), hold: ended && fresh.length > 0 }
    },

    async hide(conversationId, call) {
      const values = knownValues(await vaultOf(conversationId).list())
      const hidden = mapTexts(call.arguments, (text) => values.replace(text))
      return { ...call, arguments: isJsonObject(hidden) ? hidden : call.arguments }
    },
  }
}

/** The values of the placeholders in a branch, by number. */
export function secretsOf(known: readonly KnownSecret[], path: readonly string[]): ReadonlyMap<number, KnownSecret> {
  const branch = new Set(path)
  const here = known.filter(({ replies }) => replies.some((id) => branch.has(id)))
  return new Map(here.map((one) => [one.number, one]))
}

/** Only texts are searched: text in a picture can't be read here. */
const isText = ({ data }: CallOutcome['displays'][number]): boolean => !/^data:(?:image|audio|video)\//.test(data)

function textsOf(outcome: CallOutcome): readonly string[] {
  const texts: string[] = []
  mapOutcome(outcome, (text) => {
    texts.push(text)
    return text
  })
  return texts
}

/** Applies `change` to all texts of an outcome. */
function mapOutcome(outcome: CallOutcome, change: (text: string) => string): CallOutcome {
  const { result, console, displays, files, said } = outcome
  return {
    ...outcome,
    result: mapTexts(result, change),
    console: console.map((line) => ({ ...line, text: change(line.text) })),
    displays: displays.map((one) =>
      isText(one) ? { ...one, data: change(one.data), ...(one.name !== undefined && { name: change(one.name) }) } : one,
    ),
    ...(files && { files: { ...files, changes: files.changes.map((one) => ({ ...one, path: change(one.path) })) } }),
    ...(said && {
      said: said.map(({ reason, values }) => {
        const changed = mapTexts(values, change)
        return { reason, values: isJsonObject(changed) ? changed : {} }
      }),
    }),
  }
}

async function findValues(
  outcome: CallOutcome,
  texts: readonly string[],
  find: FindInTexts,
  kinds: ReadonlySet<SecretKind> | undefined,
): Promise<readonly FoundValue[]> {
  const values = new Map(await find(texts, kinds))
  eachMember(outcome.result, (name, value) => {
    const kind = values.has(value) ? null : kindOfMember(name, value)
    if (kind !== null && (kinds?.has(kind) ?? true)) values.set(value, kind)
  })
  return [...values].map(([value, kind]) => ({ value, kind }))
}

/** Items of a list have the name of the list. */
function eachMember(value: JsonValue, look: (name: string, value: string) => void, name = ''): void {
  if (Array.isArray(value)) for (const item of value) eachMember(item, look, name)
  else if (isJsonObject(value)) for (const [key, member] of Object.entries(value)) eachMember(member, look, key)
  else if (typeof value === 'string' || typeof value === 'number') look(name, String(value))
}
