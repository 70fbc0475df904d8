'use client'

import { Select } from '@/components/ui/select'
import { useBuiltInTools } from '@/components/context/tools-context'
import { t } from '@/lib/i18n/t'
import { offerStateOf, type ToolChoice } from './tool-choice'

export interface OfferMenuProps {
  readonly choice: ToolChoice
  readonly onChoose: (choice: ToolChoice) => void
}

/** How many tools are offered, and the common choices; single tools are chosen in the panel Tools. */
export function OfferMenu({ choice, onChoose }: OfferMenuProps) {
  const tools = useBuiltInTools()
    .list()
    .filter((tool) => tool.agentCallable)
  const countIn = (of: ToolChoice) => tools.filter((tool) => offerStateOf(of, tool) === 'offered').length
  const only = (isOffered: (tool: (typeof tools)[number]) => boolean): ToolChoice =>
    Object.fromEntries(tools.filter((tool) => !isOffered(tool)).map((tool) => [tool.name, 'off']))
  const presets = [
    { label: words(countIn({})), choice: {} },
    {
      label: t('play.offer-reading'),
      choice: only((tool) => tool.capabilities.files === 'read'),
    },
    { label: t('play.offer-none'), choice: only(() => false) },
  ]
  const same = (other: ToolChoice) => tools.every((tool) => offerStateOf(choice, tool) === offerStateOf(other, tool))
  const present = presets.findIndex((preset) => same(preset.choice))
  return (
    <Select
      inBar
      label={t('play.offer')}
      value={String(present)}
      options={[
        ...presets.map(({ label }, index) => ({ value: String(index), label })),
        ...(present < 0 ? [{ value: '-1', label: words(countIn(choice)) }] : []),
      ]}
      onChange={(value) => {
        const preset = presets[Number(value)]
        if (preset) onChoose(preset.choice)
      }}
    />
  )
}

const words = (count: number): string => t('play.offered', { count })
