'use client'

import { useChatActions, useClientStore } from '@/components/context/chat-context'
import { usePresets } from '@/components/presets/use-presets'
import { useLanguage } from '@/components/ui/page/use-language'
import { asUntrusted } from '@/lib/base/untrusted-text/foreign'
import { foldText } from '@/lib/client/commands/rank-entries'
import type { OfferedPiece, OfferedPrompt } from '@/lib/shared/mcp/offers'
import { startersOffered } from '@/lib/client/wiring/starters.browser'
import { t } from '@/lib/i18n/t'
import { isUnreadable, settingsOfSetup, type Preset } from '@/lib/shared/conversation/settings/preset'
import {
  starterPrompts,
  type StarterPrompt,
  fillVariables,
  variablesOf,
} from '@/lib/shared/conversation/settings/starter-prompts'
import { Options, type PickEntry } from './options'
import { fileOfPiece, type PickListProps } from './pick-list'
import { mostQueryChars } from './pick-trigger'
import { useOffers, type OfferingServer } from './use-offers'

/** A longer text from a server is attached as a file. */
const mostFieldChars = 50_000

const oneLine = (text: string): string => text.replaceAll(/\s+/gu, ' ').slice(0, 200)

/** Prompts for the message field: the user's own, starter prompts, and those of tool servers. */
export function PromptList({ trigger, insert, fill, say, attach, ...shown }: PickListProps) {
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
    const isLong = words.length > mostFieldChars
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
          insert(`/${server.name.replaceAll(/[\n/]/gu, ' ').slice(0, mostQueryChars)}`)
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
  const said = pieces.filter(isWords)
  const isTalk = said.some(({ by }) => by === 'assistant')
  return said.map(({ text, by }) => (isTalk ? `${t(`pick.by-${by}`)}\n${text}` : text)).join('\n\n')
}
