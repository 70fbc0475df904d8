'use client'

import { useMemo, useState } from 'react'
import { problemsOfModels } from '@/lib/shared/conversation/wire/model-problems'
import { modelLabel } from '@/lib/i18n/model-label'
import { t } from '@/lib/i18n/t'
import { Button } from '@/components/ui/controls/button'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { checkBox, checkLabel, field } from '@/components/ui/recipes/field'
import { row } from '@/components/ui/recipes/surface'
import { Select } from '@/components/ui/forms/select'
import type { StoredLab } from '@/lib/client/lab/lab-journal'
import { labLimits } from '@/lib/client/lab/lab-runner'
import { trialCount, estimateLab, type LabEstimate } from '@/lib/client/lab/plan'
import type { Probe } from '@/lib/client/lab/probe'
import { ownProbes } from '@/lib/client/lab/probes/own-probes'
import type { ModelInfo } from '@/lib/shared/models/model'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { labPorts } from '@/lib/client/wiring/models/lab.browser'
import {
  chosenProbes,
  clampTo,
  exactIn,
  firstChoice,
  kindCounts,
  pricesOf,
  setupOf,
  temperatureOf,
  withKind,
  withStrategy,
  type LabChoice,
} from './lab-choice'
import { LabField, labNote, labNumber, LabPart } from './lab-styles'
import type { KnownModels } from './use-lab'
import { ProbeFilePart, useProbeFile } from './probe-file-part'

export interface LabFormProps {
  readonly known: KnownModels | null
  readonly isRunning: boolean
  readonly onStart: (kept: StoredLab, probes: readonly Probe[]) => void
}

/** What to measure: model, strategies, probes and repetitions, with an estimate of the effort. */
export function LabForm({ known, isRunning, onStart }: LabFormProps) {
  const [choice, setChoice] = useState<LabChoice>(firstChoice)
  const file = useProbeFile()
  const all = file.file === null ? ownProbes : file.probes
  const probes = useMemo(() => chosenProbes(all, choice), [all, choice])
  const models = known?.models ?? []
  const model = models.find(({ id }) => id === (choice.model || known?.first)) ?? models[0]
  const kinds = useMemo(() => kindCounts(all), [all])
  const temperature = temperatureOf(choice)
  const exact = useMemo(() => exactIn(choice, model), [choice, model])
  const plan = useMemo(
    () => ({ strategies: choice.strategies, trials: choice.trials, exact: choice.exact ? exact : [] }),
    [choice, exact],
  )
  const estimate = useMemo(() => {
    const asked = model?.exact?.takes === 'json-schema' ? { takesSchema: true as const } : {}
    return estimateLab(probes, plan, pricesOf(choice, model), asked)
  }, [probes, plan, choice, model])
  const inAll = trialCount({ ...plan, probeCount: probes.length })
  const isReady = model !== undefined && inAll > 0 && inAll <= labLimits.allTrials && temperature !== 'wrong'
  const change = (part: Partial<LabChoice>) => setChoice({ ...choice, ...part })

  const start = () => {
    if (model === undefined) return
    const seed = crypto.getRandomValues(new Uint32Array(1))[0] ?? 1
    onStart(setupOf(choice, probes, model, file.file, { id: labPorts.newId(), now: labPorts.now(), seed }), probes)
  }

  return (
    <LabPart title={t('lab-page.measure')}>
      <div className="grid gap-5">
        <div className={row({}, 'gap-x-6 gap-y-4')}>
          <LabField label={t('lab-page.model')}>
            <Select
              boxed
              label={t('lab-page.model')}
              value={model?.id ?? ''}
              options={models.map((one) => ({ value: one.id, label: modelLabel(one) }))}
              notes={{ [t('lab-page.models-missing')]: problemsOfModels(known) }}
              disabled={models.length === 0}
              onChange={(id) => change({ model: id })}
            />
          </LabField>
          <LabField label={t('lab-page.trials-each')}>
            <NumberField value={choice.trials} most={labLimits.trials} onChange={(trials) => change({ trials })} />
          </LabField>
          <LabField label={t('lab-page.parallel')}>
            <NumberField
              value={choice.parallel}
              most={labLimits.parallel}
              onChange={(parallel) => change({ parallel })}
            />
          </LabField>
          <LabField label={t('lab-page.temperature')}>
            <input
              className={labNumber}
              inputMode="decimal"
              placeholder={t('lab-page.temperature-own')}
              value={choice.temperature}
              aria-invalid={temperature === 'wrong'}
              onChange={(event) => change({ temperature: event.target.value })}
            />
          </LabField>
        </div>
        {known !== null && models.length === 0 ? (
          <p className="text-danger" role="alert">
            <SentenceText text={t('lab-page.said', { all: problemsOfModels(known) })} />
          </p>
        ) : null}
        <Choices
          legend={t('lab-page.formats')}
          choices={toolContextBuilder.strategies.map(({ id }) => ({
            id,
            label: id,
            isOn: choice.strategies.includes(id),
          }))}
          onChange={(id, isOn) => {
            if (toolContextBuilder.isStrategyId(id)) setChoice(withStrategy(choice, id, isOn))
          }}
        />
        <div>
          <label className={checkLabel({ tall: true })}>
            <input
              type="checkbox"
              className={checkBox()}
              checked={choice.exact && exact.length > 0}
              disabled={exact.length === 0}
              onChange={(event) => change({ exact: event.target.checked })}
            />
            {t('lab.exact.choice')}
          </label>
          <p className={labNote}>
            {exact.length === 0
              ? t('lab.exact.none')
              : t('lab.exact.which', {
                  strategies: exact,
                  byDefault: model?.exact?.byDefault === true,
                })}
          </p>
        </div>
        <Choices
          legend={t('lab-page.probes')}
          choices={kinds.map(({ kind, count }) => ({
            id: kind,
            label: t('lab-page.kind-count', { kind: t(`lab.kind.${kind}`), count }),
            isOn: choice.kinds.includes(kind),
          }))}
          onChange={(kind, isOn) => setChoice(withKind(choice, kind, isOn))}
        />
        <div className="flex flex-wrap items-start gap-x-6 gap-y-3">
          <label className="flex min-w-56 flex-1 flex-col gap-1">
            <span className="font-medium">{t('lab-page.only-with')}</span>
            <input
              className={field()}
              value={choice.filter}
              placeholder={t('lab-page.only-hint')}
              onChange={(event) => change({ filter: event.target.value })}
            />
          </label>
          <ProbeFilePart state={file} />
        </div>
        <Prices choice={choice} model={model} onChange={change} />
        <div className={row({}, 'gap-x-4')}>
          <Button look="ink" disabled={!isReady || isRunning} onClick={start}>
            {t('lab-page.start')}
          </Button>
          <p className={labNote} role="status">
            {takesSentence(inAll, estimate)}
          </p>
        </div>
      </div>
    </LabPart>
  )
}

/** The estimated effort, or why the measurement can't start. */
function takesSentence(trials: number, estimate: LabEstimate): string {
  if (trials === 0) return t('lab.estimate.none')
  if (trials > labLimits.allTrials) return t('lab.estimate.too-many', { trials, most: labLimits.allTrials })
  const { cost } = estimate
  const sentences = [t('lab.estimate', estimate)]
  if (cost !== null) sentences.push(t('lab.estimate.cost', { cost }))
  return t('lab-page.said', { all: sentences })
}

function NumberField({ value, most, onChange }: { value: number; most: number; onChange: (value: number) => void }) {
  return (
    <input
      className={labNumber}
      type="number"
      min={1}
      max={most}
      value={value}
      onChange={(event) => onChange(clampTo(event.target.valueAsNumber, most))}
    />
  )
}

interface ChoicesProps {
  readonly legend: string
  readonly choices: readonly { readonly id: string; readonly label: string; readonly isOn: boolean }[]
  readonly onChange: (id: string, isOn: boolean) => void
}

function Choices({ legend, choices, onChange }: ChoicesProps) {
  return (
    <fieldset>
      <legend className="mb-1 font-medium">{legend}</legend>
      <div className="flex flex-wrap gap-x-5 gap-y-1">
        {choices.map(({ id, label, isOn }) => (
          <label key={id} className={checkLabel()}>
            <input
              type="checkbox"
              className={checkBox()}
              checked={isOn}
              onChange={(event) => onChange(id, event.target.checked)}
            />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

function Prices({
  choice,
  model,
  onChange,
}: {
  choice: LabChoice
  model: ModelInfo | undefined
  onChange: (part: Partial<LabChoice>) => void
}) {
  const price = model?.price
  return (
    <details>
      <summary className="w-fit cursor-pointer text-sm text-muted">{t('lab-page.prices')}</summary>
      {price ? <p className={labNote}>{t('lab.prices.configured', price)}</p> : null}
      <div className={row({}, 'mt-2 gap-x-6')}>
        <LabField label={t('lab-page.price-sent')}>
          <input
            className={labNumber}
            inputMode="decimal"
            value={choice.priceIn}
            placeholder={price && String(price.perMillionIn)}
            onChange={(event) => onChange({ priceIn: event.target.value })}
          />
        </LabField>
        <LabField label={t('lab-page.price-written')}>
          <input
            className={labNumber}
            inputMode="decimal"
            value={choice.priceOut}
            placeholder={price && String(price.perMillionOut)}
            onChange={(event) => onChange({ priceOut: event.target.value })}
          />
        </LabField>
      </div>
    </details>
  )
}
