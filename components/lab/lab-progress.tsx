'use client'

import { Button } from '@/components/ui/button'
import { ForeignText, SaidText } from '@/components/ui/foreign-text'
import { row } from '@/components/ui/recipes/surface'
import { trialCount } from '@/lib/lab/plan'
import { progressBar } from '@/components/ui/recipes/progress'
import { t } from '@/lib/i18n/t'
import { labNote, LabPart } from './lab-look'
import type { LabState, OpenLab } from './use-lab'

/** How far a lab is, what hinders it, and how it goes on. */
export function LabProgressPart({ state, lab }: { state: LabState; lab: OpenLab }) {
  const { setup } = lab.kept
  const all = trialCount(setup.plan)
  const done = lab.records.length
  const { progress, isRunning, problem } = state
  return (
    <LabPart
      title={t('lab-page.progress')}
      end={
        <div className={row()}>
          {isRunning ? (
            <Button onClick={state.stop}>{t('lab-page.stop')}</Button>
          ) : done < all && lab.probes.length > 0 ? (
            <Button look="ink" onClick={state.resume}>
              {t('lab-page.resume')}
            </Button>
          ) : null}
          {isRunning ? null : (
            <Button look="quiet" onClick={() => void state.remove(setup.id)}>
              {t('lab-page.delete')}
            </Button>
          )}
        </div>
      }
    >
      <p>
        <ForeignText text={setup.modelLabel} />{' '}
        <span className="text-muted">{t('lab-page.several', { names: setup.plan.strategies })}</span>
      </p>
      <progress
        className={progressBar({}, 'mt-2 w-full')}
        value={done}
        max={all}
        aria-label={t('lab-page.with-verdict')}
      />
      <p className={labNote} role="status">
        {t('lab-page.said', {
          all: [
            t('lab.progress', { done, all }),
            ...(isRunning && progress ? [t('lab.running', { running: progress.running })] : []),
            ...(!isRunning && progress !== null && progress.failed > 0
              ? [t('lab.failed', { failed: progress.failed })]
              : []),
          ],
        })}
      </p>
      {progress?.trouble == null && problem === null ? null : (
        <p className="mt-1 text-sm text-pretty text-danger" role="alert">
          <SaidText
            text={t('lab-page.said', {
              all: [problem, progress?.trouble, progress?.gaveUp ? t('lab.gave-up') : null].flatMap((one) =>
                one ? [one] : [],
              ),
            })}
          />
        </p>
      )}
    </LabPart>
  )
}
