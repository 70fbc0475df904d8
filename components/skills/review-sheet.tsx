'use client'

import { useEffect, useState } from 'react'
import { ChangedText, TextMarksList } from '../servers/tool-to-approve'
import { CodeBlock } from '@/components/ui/code/code-block'
import { Button, IconButton } from '@/components/ui/controls/button'
import { Dialog, DrawerHead } from '@/components/ui/popups/dialog'
import { row } from '@/components/ui/recipes/surface'
import { ForeignName, SentenceText } from '@/components/ui/text/foreign-text'
import { asUntrusted } from '@/lib/base/untrusted-text/foreign'
import { formatBytes } from '@/lib/base/text/locale'
import type { ChatSkill } from '@/lib/client/skills/chat-skills'
import { loadPart } from '@/lib/i18n/load-part'
import { Wait } from '@/components/ui/page/wait'
import { t } from '@/lib/i18n/t'
import { textMarks } from '@/lib/shared/mcp/text-marks'
import { isSkill, readSkill, type Skill } from '@/lib/shared/skills/skill'
import { type ChangedFile, changedFiles } from './use-skills'

interface ReviewSheetProps {
  readonly skill: ChatSkill
  readonly tokens: number
  /** Resolves to a sentence on failure. */
  readonly onApprove: () => Promise<string | null>
  readonly onClose: () => void
}

/**
 * What the model will read of a skill: the whole text if it is new, otherwise the changes. Closing it postpones the
 * decision.
 */
export function ReviewSheet({ skill, tokens, onApprove, onClose }: ReviewSheetProps) {
  const { name, read, before, files } = skill
  const [problem, setProblem] = useState<string | null>(null)
  const [saving, setSaving] = useState(false)
  if (!isSkill(read)) return null
  const then = before ? readSkill(name, before.files) : null
  const changed = changedFiles(skill)
  const same = files.length - changed.filter(({ change }) => change !== 'gone').length
  const approve = async () => {
    setSaving(true)
    const why = await onApprove().catch((error: unknown) => (error instanceof Error ? error.message : String(error)))
    setSaving(false)
    setProblem(why)
    if (why === null) onClose()
  }
  return (
    <Dialog label={t('skills.review.title')} look="drawer" onClose={onClose}>
      <DrawerHead title={t('skills.review.title')}>
        <IconButton icon="cross" label={t('skills.review.close')} onClick={onClose} />
      </DrawerHead>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 p-5 narrow:px-3.5">
        <p className="m-0 text-pretty">
          <SentenceText text={t(before ? 'skills.review.changed' : 'skills.review.new', { name: asUntrusted(name) })} />
        </p>
        <section className="grid gap-2" aria-label={t('skills.review.line')}>
          <div className="flex items-baseline gap-2">
            <h3 className="font-medium">{t('skills.review.line')}</h3>
            <span className="ms-auto text-sm text-muted tabular-nums">{t('skills.review.tokens', { tokens })}</span>
          </div>
          <div className="rounded-md bg-sunken px-3 py-2.5">
            <ChangedText before={then && isSkill(then) ? then.line : null} after={read.line} />
          </div>
          <TextMarksList
            marks={textMarks({ name, description: read.head.description, inputSchema: { type: 'object' } }, [])}
          />
          <Facts skill={read} />
        </section>
        {changed.map((file) => (
          <FileToApprove key={file.path} file={file} isNew={before === null} />
        ))}
        {same > 0 ? <p className="m-0 text-sm text-muted">{t('skills.review.same', { count: same })}</p> : null}
        {problem === null ? null : (
          <p className="m-0 text-sm text-danger" role="alert">
            <SentenceText text={problem} />
          </p>
        )}
        {saving ? <Wait what={t('skills.review.saving')} /> : null}
        <div className={row({}, 'sticky bottom-0 bg-raised py-3')}>
          <Button look="go" disabled={saving} onClick={() => void approve()}>
            {t('skills.review.approve')}
          </Button>
          <Button look="quiet" className="ms-auto" onClick={onClose}>
            {t('skills.review.later')}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

/** The front matter besides name and description. None of it grants anything. */
function Facts({ skill: { head, isLong } }: { skill: Skill }) {
  const { license, compatibility, allowedTools, metadata } = head
  const facts = [
    ...(license === '' ? [] : [t('skills.fact.license', { text: asUntrusted(license) })]),
    ...(compatibility === '' ? [] : [t('skills.fact.compatibility', { text: asUntrusted(compatibility) })]),
    ...(allowedTools === '' ? [] : [t('skills.fact.allowed-tools', { text: asUntrusted(allowedTools) })]),
    ...metadata.map(([key, value]) => t('skills.fact.other', { key: asUntrusted(key), text: asUntrusted(value) })),
    ...(isLong ? [t('skills.fact.long')] : []),
  ]
  if (facts.length === 0) return null
  return (
    <ul className="grid gap-1 text-sm text-muted">
      {facts.map((fact) => (
        <li key={fact} className="wrap-anywhere">
          <SentenceText text={fact} />
        </li>
      ))}
    </ul>
  )
}

/** One file: whole if it is new, otherwise the changed passages. */
function FileToApprove({ file, isNew }: { file: ChangedFile; isNew: boolean }) {
  const { path, change, before, after, size } = file
  const isText = change === 'gone' ? before !== null : after !== null
  return (
    <details open className="min-w-0">
      <summary className="cursor-pointer wrap-anywhere pointer-coarse:py-3">
        <ForeignName text={path} />{' '}
        <span className="text-sm text-muted">
          {isNew ? null : `${t(`skills.file.${change}`)} · `}
          {formatBytes(size)}
        </span>
      </summary>
      <div className="mt-2">
        {!isText ? (
          <p className="m-0 text-sm text-muted">{t('skills.file.no-text')}</p>
        ) : change === 'changed' && before !== null && after !== null ? (
          <Passages before={before} after={after} />
        ) : (
          <CodeBlock
            label={t('skills.file.text', { path: asUntrusted(path) })}
            text={after ?? before ?? ''}
            language={/\.(\w+)$/.exec(path)?.[1] ?? 'text'}
            reading={/\.(?:md|txt)$/i.test(path) ? 'prose' : 'code'}
          />
        )}
      </div>
    </details>
  )
}

/** The lines of a patch, without the lines of the `other` side. */
const sideOf = (lines: readonly string[], other: '+' | '-'): string =>
  lines
    .filter((line) => !line.startsWith(other) && !line.startsWith('\\'))
    .map((line) => line.slice(1))
    .join('\n')

/** The changed lines with context, and the added and removed words of each passage. */
function Passages({ before, after }: { before: string; after: string }) {
  const [passages, setPassages] = useState<readonly { before: string; after: string; line: number }[] | null>(null)
  useEffect(() => {
    let wanted = true
    const compare = async () => {
      const { structuredPatch } = await loadPart(() => import('diff'))
      const patch = structuredPatch('', '', before, after, '', '', { context: 2, timeout: 500 })
      const all = patch?.hunks.map(({ lines, newStart }) => ({
        before: sideOf(lines, '+'),
        after: sideOf(lines, '-'),
        line: newStart,
      }))
      if (wanted) setPassages(all ?? [{ before, after, line: 1 }])
    }
    void compare().catch(() => wanted && setPassages([{ before, after, line: 1 }]))
    return () => {
      wanted = false
    }
  }, [before, after])
  return (
    <ul className="grid gap-2">
      {(passages ?? []).map((passage) => (
        <li key={passage.line} className="rounded-md bg-sunken px-3 py-2.5">
          <small className="block text-sm text-muted">{t('skills.file.line', { line: passage.line })}</small>
          <ChangedText before={passage.before} after={passage.after} />
        </li>
      ))}
    </ul>
  )
}
