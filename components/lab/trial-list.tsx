'use client'

import { useMemo, useState } from 'react'
import { ForeignText } from '@/components/ui/text/foreign-text'
import { row } from '@/components/ui/recipes/surface'
import { Select } from '@/components/ui/forms/select'
import { TextButton } from '@/components/ui/controls/button'
import { armKey, armsOf } from '@/lib/client/lab/trial-model'
import { trialOf } from '@/lib/client/lab/plan'
import type { TrialRecord } from '@/lib/client/lab/trial-record'
import { isVerdict, verdicts } from '@/lib/client/lab/verdict/judge'
import { t } from '@/lib/i18n/t'
import { armWords } from './arm-words'
import { cell, labNote, LabPart } from './lab-styles'
import type { OpenLab } from './use-lab'

const SHOWN = 100
/** More of a question than a line of a list holds. */
const LONGEST = 400

/** Every trial with its verdict; each opens with what was sent and how it was read. */
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
              ...armsOf(plan).map((arm) => ({ value: armKey(arm), label: armWords(arm) })),
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
                <td className={cell}>{armWords(key.arm)}</td>
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
