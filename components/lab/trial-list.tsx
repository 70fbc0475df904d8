'use client'

import { useMemo, useState } from 'react'
import { ForeignText, SentenceText } from '@/components/ui/text/foreign-text'
import { row } from '@/components/ui/recipes/surface'
import { Select } from '@/components/ui/forms/select'
import { TextButton, Button } from '@/components/ui/controls/button'
import { armKey, armsOf, formOfArm } from '@/lib/client/lab/trials'
import { trialOf } from '@/lib/client/lab/plan'
import type { TrialRecord } from '@/lib/client/lab/trial-record'
import { isVerdict, verdicts } from '@/lib/client/lab/verdict/judge'
import { t } from '@/lib/i18n/t'
import { cell, labNote, LabPart, armLabel } from './lab-styles'
import type { OpenLab } from './use-lab'
import { Inspector, type InspectorState } from '@/components/playground/inspector'
import { ForeignCode } from '@/components/ui/code/foreign-code'
import { trialInput } from '@/lib/shared/prompt/trial-input'
import { requestOfRound } from '@/lib/client/lab/play-trial'
import type { Probe } from '@/lib/client/lab/probe'
import { explainVerdict } from '@/lib/client/lab/lab-why'
import type { ReplyForm } from '@/lib/protocols/types/tool-context-def'
import { envelopeStrategy } from '@/lib/protocols/envelope-reply'

const SHOWN = 100
/** A list row shows at most this many characters of a question. */
const LONGEST = 400

/** Every trial with its verdict; each opens with its request and how the reply was parsed. */
export function TrialList({ lab, onOpen }: { lab: OpenLab; onOpen: (record: TrialRecord) => void }) {
  const [verdict, setVerdict] = useState('')
  const [strategy, setStrategy] = useState('')
  const [shown, setShown] = useState(SHOWN)
  const { plan } = lab.kept.setup
  const found = useMemo(
    () =>
      lab.records.filter(
        (record) =>
          (verdict === '' || record.verdict === verdict) &&
          (strategy === '' || armKey(trialOf(plan, record.number).arm) === strategy),
      ),
    [lab.records, plan, verdict, strategy],
  )
  return (
    <LabPart
      title={t('lab-page.trials')}
      end={
        <div className={row()}>
          <Select
            label={t('lab-page.verdict')}
            boxed
            value={verdict}
            options={[
              { value: '', label: t('lab-page.every-verdict') },
              ...verdicts.map((one) => ({ value: one, label: t(`lab.verdict.${one}`) })),
            ]}
            onChange={(next) => setVerdict(isVerdict(next) ? next : '')}
          />
          <Select
            label={t('lab-page.format-of-trials')}
            boxed
            value={strategy}
            options={[
              { value: '', label: t('lab-page.every-format') },
              ...armsOf(plan).map((arm) => ({ value: armKey(arm), label: armLabel(arm) })),
            ]}
            onChange={setStrategy}
          />
        </div>
      }
    >
      {found.length === 0 ? <p className={labNote}>{t('lab-page.none-yet')}</p> : null}
      <table className="w-full border-collapse text-sm" aria-label={t('lab-page.trials')}>
        <tbody>
          {found.slice(0, shown).map((record) => {
            const key = trialOf(plan, record.number)
            const probe = lab.probes[key.probe]
            return (
              <tr key={record.number}>
                <td className={cell}>
                  <TextButton onClick={() => onOpen(record)}>
                    <ForeignText text={lab.kept.setup.probeIds[key.probe] ?? ''} />
                  </TextButton>
                  <span className="line-clamp-1 text-muted wrap-anywhere narrow:hidden">
                    <ForeignText reading="prose" text={(probe?.question.at(-1)?.content ?? '').slice(0, LONGEST)} />
                  </span>
                </td>
                <td className={cell}>{armLabel(key.arm)}</td>
                <td className={`${cell} whitespace-nowrap`}>{t(`lab.verdict.${record.verdict}`)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
      {found.length > shown ? (
        <p className="mt-2">
          <TextButton onClick={() => setShown(shown + SHOWN)}>{t('lab-page.more', { count: found.length })}</TextButton>
        </p>
      ) : null}
    </LabPart>
  )
}

interface TrialViewProps {
  readonly lab: OpenLab
  readonly record: TrialRecord
  readonly onClose: () => void
}

/** One trial: the request, the reply, how it was parsed, and the reason of the verdict. */
export function TrialView({ lab, record, onClose }: TrialViewProps) {
  const { plan, asked } = lab.kept.setup
  const { probe: place, arm } = trialOf(plan, record.number)
  const probe = lab.probes[place]
  const [round, setRound] = useState(record.rounds.length - 1)
  const prompt = useMemo(
    () => (probe ? promptText(trialInput(requestOfRound(probe, arm, asked, record.rounds, round))) : ''),
    [probe, arm, asked, record, round],
  )
  return (
    <section aria-label={t('lab-page.trial')}>
      <div className="px-5 py-4 narrow:px-3">
        <Button onClick={onClose}>{t('lab-page.back')}</Button>
        <h2 className="mt-4 text-xl font-strong tracking-tight">
          <ForeignText text={lab.kept.setup.probeIds[place] ?? ''} />
        </h2>
        <p className="mt-1">
          <strong className="font-strong">{t(`lab.verdict.${record.verdict}`)}</strong>{' '}
          {t('lab-page.under', { arm: armLabel(arm) })} <SentenceText text={explainVerdict(record.why)} />
        </p>
        {record.rounds.length > 1 ? (
          <p className="mt-2">
            <Select
              boxed
              label={t('lab-page.round')}
              value={String(round)}
              options={record.rounds.map((_, at) => ({
                value: String(at),
                label: t('lab-page.round-number', { number: at + 1 }),
              }))}
              onChange={(next) => setRound(Number(next))}
            />
          </p>
        ) : null}
        {prompt === '' ? null : (
          <details className="mt-3">
            <summary className="w-fit cursor-pointer text-sm text-muted">{t('lab-page.sent')}</summary>
            <pre className="mt-2 max-h-96 overflow-auto rounded-lg border border-line bg-code p-3 text-mono whitespace-pre-wrap text-code-text">
              <ForeignCode text={prompt} />
            </pre>
          </details>
        )}
        {(record.rounds[round]?.reasoning ?? '') === '' ? null : (
          <details className="mt-2">
            <summary className="w-fit cursor-pointer text-sm text-muted">{t('lab-page.thought')}</summary>
            <p className={`mt-2 whitespace-pre-wrap ${labNote}`}>
              <ForeignText reading="prose" text={(record.rounds[round]?.reasoning ?? '').slice(0, 20_000)} />
            </p>
          </details>
        )}
      </div>
      <TrialReading key={round} text={record.rounds[round]?.text ?? ''} form={formOfArm(arm, asked)} probe={probe} />
    </section>
  )
}

/** The playground's inspector for this reply; edits there don't change the lab. */
function TrialReading({ text: written, form, probe }: { text: string; form: ReplyForm; probe: Probe | undefined }) {
  const [text, setText] = useState(written)
  const [replaced, setReplaced] = useState<string | null>(null)
  const state: InspectorState = {
    text,
    ...(form === 'whole' ? { strategy: envelopeStrategy, reading: form } : { strategy: form }),
    tools: probe?.functions ?? [],
    note: null,
    replaced,
    type: setText,
    replace(next) {
      setReplaced(text)
      setText(next)
    },
    bringBack() {
      setText(replaced ?? written)
      setReplaced(null)
    },
  }
  return <Inspector state={state} />
}

const promptText = ({ instructions, messages, nativeTools }: ReturnType<typeof trialInput>): string =>
  [
    ...(instructions === '' ? [] : [`[system]\n${instructions}`]),
    ...(nativeTools ? [`[tools]\n${JSON.stringify(nativeTools, null, 2)}`] : []),
    ...messages.map(
      ({ role, content }) => `[${role}]\n${typeof content === 'string' ? content : JSON.stringify(content, null, 2)}`,
    ),
  ].join('\n\n')
