'use client'

import { useId, useState } from 'react'
import { useCallActions } from '@/components/context/chat-context'
import { Select } from '@/components/ui/forms/select'
import { Button, TextButton } from '@/components/ui/controls/button'
import { useNow } from '@/components/ui/page/use-now'
import { Wait } from '@/components/ui/page/wait'
import { checkBox, checkLabel, field, hint } from '@/components/ui/recipes/field'
import { panel } from '@/components/ui/recipes/surface'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { asWritten } from '@/lib/base/untrusted-text/foreign'
import { t } from '@/lib/i18n/t'
import { effectKinds, effectLimits, isScopeSound } from '@/lib/shared/calls/effects'
import { folderText } from '@/lib/shared/calls/grant-text'
import type { EffectsScope } from '@/lib/shared/conversation/copy-scopes'

const untils = ['hour', 'tonight', 'week', 'chat'] as const
type Until = (typeof untils)[number]

/** When a remembered approval ends, epoch milliseconds; null: with the chat. Days are those of this browser. */
function endOf(until: Until, now: number): number | null {
  switch (until) {
    case 'hour':
      return now + 3_600_000
    case 'tonight':
      return new Date(now).setHours(24, 0, 0, 0)
    case 'week':
      return now + 7 * 86_400_000
    case 'chat':
      return null
  }
}

interface OfferProps {
  readonly copyId: string
  readonly suggested: EffectsScope
  /** The approval that this one replaces; null: there is none. */
  readonly widens: string | null
  readonly onDone: () => void
}

/** After Keep: offers to keep such changes without asking from now on, within editable limits. */
export function GrantOffer({ copyId, suggested, widens, onDone }: OfferProps) {
  const heading = useId()
  const { allowEffects, revokeGrant } = useCallActions()
  const now = useNow()
  const [scope, setScope] = useState<EffectsScope>(suggested)
  const [until, setUntil] = useState<Until>('tonight')
  const [isEdited, setIsEdited] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const isSound = isWithin(scope)

  const give = async (maxFiles: number) => {
    setIsBusy(true)
    const refused = await allowEffects({ ...scope, maxFiles, copyId, until: endOf(until, now) })
    const wrong = refused ?? (widens === null ? null : await revokeGrant(widens))
    setIsBusy(false)
    setProblem(wrong)
    if (wrong === null) onDone()
  }
  return (
    <section aria-labelledby={heading} className={panel({}, 'mt-4 px-3.5 py-3 text-sm narrow:px-3')}>
      <h3 id={heading} className="text-md font-medium">
        {t(widens === null ? 'copy.grant' : 'copy.grant-wider')}
      </h3>
      <p className="mt-1 text-pretty">
        <SentenceText text={sentence(scope, until)} />
      </p>
      <p className="mt-1 text-pretty text-muted">{t('copy.grant-about')}</p>
      {isEdited ? <Limits scope={scope} until={until} onScope={setScope} onUntil={setUntil} /> : null}
      {isSound ? null : (
        <p className={hint({ tone: 'bad' }, 'mt-2')} role="alert">
          {t('copy.grant-wrong', {
            files: effectLimits.maxFiles,
            kb: effectLimits.maxBytes / 1_000,
            runs: effectLimits.maxRuns,
          })}
        </p>
      )}
      <div data-decides="" className="mt-3 flex flex-wrap items-center gap-2">
        <Button disabled={isBusy || !isSound} onClick={() => void give(scope.maxFiles)}>
          {t('copy.grant-give')}
        </Button>
        <Button disabled={isBusy} onClick={() => void give(0)}>
          {t('copy.grant-begin')}
        </Button>
        <TextButton aria-expanded={isEdited} onClick={() => setIsEdited(!isEdited)}>
          {t('copy.grant-edit')}
        </TextButton>
        <TextButton onClick={onDone}>{t('copy.grant-later')}</TextButton>
        {isBusy ? <Wait what={t('copy.grant-giving')} /> : null}
      </div>
      {problem ? (
        <p className="mt-2 text-danger" role="alert">
          <SentenceText text={problem} />
        </p>
      ) : null}
    </section>
  )
}

const isWithin = (scope: EffectsScope): boolean =>
  isScopeSound(scope) &&
  scope.folders.length <= effectLimits.maxFolders &&
  [
    [scope.maxFiles, effectLimits.maxFiles],
    [scope.maxBytes, effectLimits.maxBytes],
    [scope.runs, effectLimits.maxRuns],
  ].every(([value = 0, most = 0]) => Number.isSafeInteger(value) && value >= 1 && value <= most)

const sentence = ({ folders, changes, maxFiles, maxBytes, runs }: EffectsScope, until: Until): string =>
  t('copy.grant-sentence', {
    folders: folders.map((folder) => asWritten(folderText(folder))),
    kinds: changes.map((kind) => t(`grants.effects.${kind}`)),
    deletes: changes.includes('deleted') ? 'yes' : 'no',
    files: maxFiles,
    size: maxBytes,
    runs,
    until,
  })

interface LimitsProps {
  readonly scope: EffectsScope
  readonly until: Until
  readonly onScope: (scope: EffectsScope) => void
  readonly onUntil: (until: Until) => void
}

function Limits({ scope, until, onScope, onUntil }: LimitsProps) {
  const [folders, setFolders] = useState(scope.folders.join(', '))
  const folderHint = useId()
  const typeFolders = (text: string) => {
    setFolders(text)
    onScope({ ...scope, folders: foldersIn(text) })
  }
  return (
    <div className="mt-3 grid gap-3">
      <label className="grid gap-1">
        {t('copy.grant-folders')}
        <input
          className={field()}
          value={folders}
          aria-describedby={folderHint}
          onChange={(event) => typeFolders(event.target.value)}
        />
        <small id={folderHint} className={hint()}>
          {t('copy.grant-folders-hint')}
        </small>
      </label>
      <fieldset className="flex flex-wrap gap-x-4 gap-y-1">
        <legend className="mb-1">{t('copy.grant-kinds')}</legend>
        {effectKinds.map((kind) => (
          <label key={kind} className={checkLabel()}>
            <input
              type="checkbox"
              className={checkBox()}
              checked={scope.changes.includes(kind)}
              onChange={({ target }) =>
                onScope({
                  ...scope,
                  changes: effectKinds.filter((one) => (one === kind ? target.checked : scope.changes.includes(one))),
                })
              }
            />
            {t(`grants.effects.${kind}`)}
          </label>
        ))}
      </fieldset>
      <div className="flex flex-wrap gap-3">
        <Amount of="files" value={scope.maxFiles} onChange={(maxFiles) => onScope({ ...scope, maxFiles })} />
        <Amount of="kb" value={scope.maxBytes / 1_000} onChange={(kb) => onScope({ ...scope, maxBytes: kb * 1_000 })} />
        <Amount of="runs" value={scope.runs} onChange={(runs) => onScope({ ...scope, runs })} />
        <div className="grid gap-1">
          <span aria-hidden="true">{t('copy.grant-until')}</span>
          <Select
            boxed
            label={t('copy.grant-until')}
            value={until}
            options={untils.map((value) => ({ value, label: t(`copy.grant-until.${value}`) }))}
            onChange={(value) => onUntil(untils.find((one) => one === value) ?? until)}
          />
        </div>
      </div>
    </div>
  )
}

/** `/src/` is `/src`. */
const foldersIn = (text: string): readonly string[] =>
  text
    .split(/[,，]/)
    .map((folder) => folder.trim())
    .filter((folder) => folder !== '')
    .map((folder) => (folder.length > 1 ? folder.replace(/\/+$/, '') : folder))

interface AmountProps {
  readonly of: 'files' | 'kb' | 'runs'
  readonly value: number
  /** Invalid input gives 0, which is never within the limits. */
  readonly onChange: (value: number) => void
}

const Amount = ({ of, value, onChange }: AmountProps) => (
  <label className="grid w-28 gap-1">
    {t(`copy.grant-${of}`)}
    <input
      className={field({}, 'tabular-nums')}
      inputMode="numeric"
      value={value === 0 ? '' : String(value)}
      onChange={(event) => onChange(/^\d{1,6}$/.test(event.target.value) ? Number(event.target.value) : 0)}
    />
  </label>
)
