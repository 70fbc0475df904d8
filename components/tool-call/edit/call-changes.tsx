'use client'

import { SentenceText } from '@/components/ui/text/foreign-text'
import { useState } from 'react'
import { TextButton } from '@/components/ui/controls/button'
import type { JsonObject } from '@/lib/base/json'
import { canonicalJson } from '@/lib/protocols/types/canonical-json'
import type { CallToWrite } from '@/lib/protocols/types/tool-context-def'
import { withParts, type SentencePart } from '@/lib/base/untrusted-text/sentence-part'
import { t } from '@/lib/i18n/t'
import { useCall } from '../scope/call-scope'
import { useCodeOf } from '../words/tool-name'
import { Sentence } from '../sentence'
import { TextDiff } from '../evidence/text-diff'
import { CardBody, Meta, Fact, MetaEnd } from '../styles/card'

/** Undoes an edit. Resolves to a sentence if that could not be stored; null once the call is decided. */
type TakeBack = (() => Promise<string | null>) | null

/** The user's edits to the call; renders nothing without any. */
export function CallChanges({ onUndo }: { onUndo: TakeBack }) {
  const { asked, call, changed, changeLost, promoted } = useCall().entry
  if (changeLost) return <Meta>{onUndo ? <Undo words={t('card-edit.undo-change')} onUndo={onUndo} /> : null}</Meta>
  if (changed) return <ChangedCall asked={asked} now={{ name: call.name, arguments: call.arguments }} onUndo={onUndo} />
  return promoted ? <PromotedCall onUndo={onUndo} /> : null
}

interface ChangedCallProps {
  /** Null if the original call could not be read. */
  readonly asked: CallToWrite | null
  readonly now: CallToWrite
  readonly onUndo: TakeBack
}

/** The user's edits to a call: in words, and as a difference from the original. */
function ChangedCall({ asked, now, onUndo }: ChangedCallProps) {
  const codeOf = useCodeOf()
  return (
    <>
      <Sentence parts={asked ? changedWords(asked, now) : [t('card-edit.in-place')]} />
      <Meta>
        <Fact>{t(asked ? 'card-edit.colours' : 'card-edit.told')}</Fact>
        {onUndo ? <Undo words={t('card-edit.undo-change')} onUndo={onUndo} /> : null}
      </Meta>
      {asked ? (
        <CardBody>
          <TextDiff label={t('card-edit.compared')} {...sidesOf(asked, now, codeOf(now.name))} />
        </CardBody>
      ) : null}
    </>
  )
}

/** A quoted or foreign call that the user made into a call. */
function PromotedCall({ onUndo }: { onUndo: TakeBack }) {
  return (
    <Meta>
      <Fact>{t('card-edit.lifted')}</Fact>
      {onUndo ? <Undo words={t('card-edit.undo')} onUndo={onUndo} /> : null}
    </Meta>
  )
}

function Undo({ words, onUndo }: { words: string; onUndo: () => Promise<string | null> }) {
  const [problem, setProblem] = useState<string | null>(null)
  return (
    <MetaEnd>
      {problem ? (
        <span className="text-sm text-pretty text-danger" role="alert">
          <SentenceText text={problem} />
        </span>
      ) : null}
      <TextButton onClick={() => void onUndo().then(setProblem)}>
        <SentenceText text={words} />
      </TextButton>
    </MetaEnd>
  )
}

function changedWords(asked: CallToWrite, now: CallToWrite): readonly SentencePart[] {
  const names = changedNames(asked.arguments, now.arguments)
  return withParts((part) => {
    const code = (name: string) => part({ code: name })
    const signs = names.map(code)
    const last = signs.length > 1 ? (signs.pop() ?? '') : ''
    if (asked.name === now.name) {
      return names.length === 0 ? t('card-edit.left') : t('card-edit.changed', { names: signs, last })
    }
    const chose = { now: code(now.name), asked: code(asked.name) }
    return names.length === 0
      ? t('card-edit.chose', chose)
      : t('card-edit.chose-and-changed', { ...chose, names: signs, last })
  })
}

function changedNames(asked: JsonObject, now: JsonObject): readonly string[] {
  const names = [...new Set([...Object.keys(asked), ...Object.keys(now)])]
  const text = (args: JsonObject, name: string) => (Object.hasOwn(args, name) ? canonicalJson(args[name] ?? null) : '')
  return names.filter((name) => text(asked, name) !== text(now, name))
}

/** Code is compared as code, other arguments as JSON, and long texts in them line by line. */
function sidesOf(
  asked: CallToWrite,
  now: CallToWrite,
  code: string | null,
): { readonly before: string; readonly after: string } {
  const only = changedNames(asked.arguments, now.arguments)
  const member = code ?? (only.length === 1 ? (only[0] ?? null) : null)
  if (member !== null && asked.name === now.name) {
    const [before, after] = [asked.arguments[member], now.arguments[member]]
    if (typeof before === 'string' && typeof after === 'string') return { before, after }
  }
  const write = (call: CallToWrite) =>
    asked.name === now.name ? call.arguments : { tool: call.name, ...call.arguments }
  return { before: JSON.stringify(write(asked), null, 2), after: JSON.stringify(write(now), null, 2) }
}
