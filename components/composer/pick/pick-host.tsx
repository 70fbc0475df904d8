'use client'

import { useEffect, useState, type RefObject } from 'react'
import { composerHint } from '../composer-styles'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { FillForm, type FillRequest } from './fill-form'
import { type PickKeys, Options, type PickEntry } from './options'
import { type PickTrigger, maxQueryChars } from './pick-trigger'
import { asUntrusted, unmarked } from '@/lib/base/untrusted-text/foreign'
import { foldText } from '@/lib/client/commands/rank-entries'
import {
  expandTemplate,
  templateVariables,
  type OfferedResource,
  type OfferedPiece,
  type OfferedPrompt,
} from '@/lib/shared/mcp/offers'
import { t } from '@/lib/i18n/t'
import { fileOfPiece, type PickListProps } from './pick-list'
import { useOffers, type OfferingServer } from './use-offers'
import { useChatActions, useClientStore } from '@/components/context/chat-context'
import { usePresets } from '@/components/presets/use-presets'
import { useLanguage } from '@/components/ui/page/use-language'
import { startersOffered } from '@/lib/client/wiring/starters.browser'
import { isUnreadable, settingsOfSetup, type Preset } from '@/lib/shared/conversation/settings/preset'
import {
  starterPrompts,
  type StarterPrompt,
  fillVariables,
  variablesOf,
} from '@/lib/shared/conversation/settings/starter-prompts'

/** A longer text from a server is attached as a file. */
const maxFieldChars = 50_000

const oneLine = (text: string): string => text.replaceAll(/\s+/gu, ' ').slice(0, 200)

/** Prompts for the message field: the user's own, starter prompts, and those of tool servers. */
function PromptList({ trigger, insert, fill, say, attach, ...shown }: PickListProps) {
  const language = useLanguage()
  const { presets, list } = usePresets()
  const store = useClientStore()
  const { updateSettings } = useChatActions()
  const offers = useOffers('prompts')

  const pickText = (title: string, prompt: string) => {
    const names = variablesOf(prompt)
    if (names.length === 0) return insert(prompt)
    fill({
      title,
      fields: names.map((name) => ({ name, about: '', required: false })),
      onDone: (values) => insert(fillVariables(prompt, values)),
    })
  }
  const pickPreset = ({ name, setup, prompt }: Preset) => {
    if (prompt === undefined) insert('')
    else pickText(name, prompt)
    if (!setup) return
    const apply = async () => {
      const why = await updateSettings(settingsOfSetup(setup, store.getState().models))
      say(why ?? t('presets.used', { name: asUntrusted(name) }))
    }
    void apply()
  }
  const pickStarter = ({ id, name, prompt }: StarterPrompt) => {
    pickText(name, prompt)
    startersOffered.use(id)
    // A used starter prompt becomes the user's own, which can be edited or deleted.
    void list.add(name, { setup: null, prompt }, id)
  }
  const pickOffered = async ({ server }: OfferingServer, name: string, args: Readonly<Record<string, string>>) => {
    const offer = await offers.ask(server, { ask: 'prompt', name, args })
    if (!offer) return
    const words = wordsOf(offer.pieces)
    // A longer text is unreadable in the field.
    const isLong = words.length > maxFieldChars
    insert(isLong ? '' : words)
    const long = isLong ? [new File([words], `${name}.txt`, { type: 'text/plain' })] : []
    const others = offer.pieces.flatMap((piece, at) =>
      isWords(piece) ? [] : (fileOfPiece(piece, `${name}-${at + 1}`) ?? []),
    )
    const files = [...long, ...others]
    if (files.length > 0) attach(files)
    const left = offer.pieces.filter(({ kind }) => kind === 'other').length
    if (left > 0) say(t('pick.left-out', { count: left }))
  }

  const own = (presets ?? []).filter((preset) => !isUnreadable(preset))
  const known = new Set(own.map(({ id }) => id))
  const starters = starterPrompts(language).filter(({ id }) => !known.has(id) && startersOffered.isOffered(id))
  const entry = (group: string, id: string, label: string, beside: string, pick: () => void): PickEntry => ({
    group,
    id,
    label,
    beside: oneLine(beside),
    isForeign: group !== 'starters' && group !== 'servers',
    text: foldText(label),
    also: foldText(oneLine(beside)),
    pick,
  })
  const entries: readonly PickEntry[] = [
    ...own.map((preset) =>
      entry('own', `own ${preset.id}`, preset.name, preset.prompt ?? t('pick.settings'), () => pickPreset(preset)),
    ),
    ...offers.servers.flatMap((one) =>
      (one.listed?.prompts ?? []).map((prompt) => {
        const { name, title, about, args } = prompt
        const pick = () => {
          if (args.length === 0) void pickOffered(one, name, {})
          else fill({ title, fields: args, onDone: (values) => void pickOffered(one, name, values) })
        }
        const found = entry(one.server.id, `${one.server.id} ${name}`, titleOf(prompt), about, pick)
        return { ...found, also: `${found.also} ${foldText(one.server.name)}` }
      }),
    ),
    ...starters.map((one) => entry('starters', one.id, one.name, one.prompt, () => pickStarter(one))),
    ...(starters.length === 0
      ? []
      : [
          entry('starters', 'hide', t('pick.hide'), '', () => {
            startersOffered.hide()
            insert('')
          }),
        ]),
    ...offers.servers
      .filter(({ listed }) => listed === null)
      .map(({ server }) =>
        entry('servers', server.id, t('pick.prompts-of', { name: asUntrusted(server.name) }), '', () => {
          // Typing the server's name filters the list to what the server lists.
          insert(`/${server.name.replaceAll(/[\n/]/gu, ' ').slice(0, maxQueryChars)}`)
          void offers.ask(server, { ask: 'prompts' })
        }),
      ),
  ]
  const groups = { own: t('pick.own'), starters: t('pick.starters'), ...offers.groups }
  return (
    <Options
      {...shown}
      label={t('pick.prompts')}
      query={trigger.query}
      entries={entries}
      groups={groups}
      note={offers.note}
    />
  )
}

const titleOf = ({ name, title }: OfferedPrompt): string => (title === name ? name : `${title} (${name})`)

/** A text with a URI is an embedded resource, so it becomes a file. */
const isWords = (piece: OfferedPiece): piece is Extract<OfferedPiece, { kind: 'text' }> =>
  piece.kind === 'text' && piece.uri === ''

/** A prompt with several roles keeps the role of each message. */
function wordsOf(pieces: readonly OfferedPiece[]): string {
  const textPieces = pieces.filter(isWords)
  const isTalk = textPieces.some(({ by }) => by === 'assistant')
  return textPieces.map(({ text, by }) => (isTalk ? `${t(`pick.by-${by}`)}\n${text}` : text)).join('\n\n')
}

/**
 * Resources of tool servers as attachments. A server is asked when it is picked, and a resource is read when it is
 * picked.
 */
function ResourceList({ trigger, insert, fill, say, attach, ...shown }: PickListProps) {
  const offers = useOffers('resources')

  const read = async ({ server }: OfferingServer, uri: string, title: string) => {
    const offer = await offers.ask(server, { ask: 'resource', uri })
    if (!offer) return
    const files = offer.pieces.flatMap((piece, at) => fileOfPiece(piece, at === 0 ? title : `${title}-${at + 1}`) ?? [])
    insert('')
    if (files.length > 0) attach(files)
    else say(t('pick.empty-resource', { name: asUntrusted(title) }))
  }
  const pick = (one: OfferingServer, { uri, isTemplate, title }: OfferedResource) => {
    const names = isTemplate ? (templateVariables(uri) ?? []) : []
    if (names.length === 0) return void read(one, uri, title)
    fill({
      title,
      fields: names.map((name) => ({ name, about: '', required: true })),
      onDone: (values) => void read(one, expandTemplate(uri, values), title),
    })
  }

  const entries: readonly PickEntry[] = offers.servers.flatMap((one): readonly PickEntry[] => {
    const { server, listed } = one
    if (listed === null) {
      const label = t('pick.resources-of', { name: asUntrusted(server.name) })
      const ask = () => void offers.ask(server, { ask: 'resources' })
      const [text, also] = [foldText(server.name), '']
      return [{ group: 'servers', id: server.id, label, beside: '', isForeign: false, text, also, pick: ask }]
    }
    return listed.resources
      .filter(({ uri, isTemplate }) => !isTemplate || templateVariables(uri) !== null)
      .map((resource) => ({
        group: server.id,
        id: `${server.id} ${resource.uri}`,
        label: resource.title,
        beside: besideOf(resource),
        isForeign: true,
        text: foldText(resource.title),
        also: foldText(`${resource.uri} ${resource.about} ${server.name}`),
        pick: () => pick(one, resource),
      }))
  })
  return (
    <Options
      {...shown}
      label={t('pick.resources')}
      query={trigger.query}
      entries={entries}
      groups={offers.groups}
      note={offers.note}
    />
  )
}

const besideOf = ({ size, uri }: OfferedResource): string =>
  size === null ? uri : unmarked(t('pick.size', { size, uri: asUntrusted(uri) }))

export interface PickHostProps {
  /** Null while nothing is being picked. */
  readonly trigger: PickTrigger | null
  readonly field: RefObject<HTMLTextAreaElement | null>
  readonly keys: RefObject<PickKeys | null>
  /** Replaces the typed trigger with text. */
  readonly onInsert: (at: PickTrigger, words: string) => void
  readonly onAttach: (files: readonly File[]) => void
}

/** How long a confirmation is shown. */
const confirmationMs = 10_000

/**
 * Above the message field: the list for `/` and `@`, and the form for a prompt's arguments. Loads on the first trigger.
 */
export default function PickHost({ trigger, field, keys, onInsert, onAttach }: PickHostProps) {
  /** Closed by Esc: the same trigger does not open the list again. */
  const [closed, setClosed] = useState<string | null>(null)
  const [form, setForm] = useState<{ readonly request: FillRequest; readonly at: PickTrigger } | null>(null)
  const [notice, setNotice] = useState<string | null>(null)
  const [at, setAt] = useState(trigger)
  if (trigger !== null && trigger !== at) setAt(trigger)
  if (trigger === null && closed !== null) setClosed(null)
  if (trigger !== null && notice !== null && trigger !== at) setNotice(null)
  const name = trigger && `${trigger.kind} ${trigger.start}`
  useEffect(() => {
    if (notice === null) return
    const timer = setTimeout(() => setNotice(null), confirmationMs)
    return () => clearTimeout(timer)
  }, [notice])
  // A server may answer after the text has changed; the result is inserted where it was picked.
  const place = form?.at ?? at
  const insert = (words: string) => {
    setNotice(null)
    if (place) onInsert(place, words)
  }
  const close = () => setForm(null)
  const parts = {
    field,
    keys,
    insert,
    fill: (request: FillRequest) => {
      if (!at) return
      const onDone: FillRequest['onDone'] = (values) => {
        close()
        request.onDone(values)
      }
      setForm({ request: { ...request, onDone }, at })
    },
    say: setNotice,
    attach: onAttach,
    onClose: () => setClosed(name),
  }
  const List = at?.kind === 'resources' ? ResourceList : PromptList
  return (
    <>
      {notice === null ? null : (
        <p className={composerHint()} role="status">
          <SentenceText text={notice} />
        </p>
      )}
      <div className="relative">{trigger && name !== closed ? <List {...parts} trigger={trigger} /> : null}</div>
      {form ? <FillForm request={form.request} onClose={close} /> : null}
    </>
  )
}
