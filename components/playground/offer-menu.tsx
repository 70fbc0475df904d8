'use client'

import { plural } from '@/lib/base/locale'
import { Select } from '@/components/ui/select'
import { toolRegistry } from '@/lib/tools/registry'
import { offerStateOf, type ToolChoice } from './tool-choice'

export interface OfferMenuProps {
  readonly choice: ToolChoice
  readonly onChoose: (choice: ToolChoice) => void
}

/** How many tools are offered, and the common choices; single tools are chosen in the panel Tools. */
export function OfferMenu({ choice, onChoose }: OfferMenuProps) {
  const tools = toolRegistry.list().filter((tool) => tool.agentCallable)
  const countIn = (of: ToolChoice) => tools.filter(({ name }) => offerStateOf(of, name) === 'offered').length
  const only = (isOffered: (tool: (typeof tools)[number]) => boolean): ToolChoice =>
    Object.fromEntries(tools.filter((tool) => !isOffered(tool)).map((tool) => [tool.name, 'off']))
  const presets = [
    { label: words(countIn({})), choice: {} },
    {
      label: 'only those that read',
      choice: only((tool) => tool.capabilities.files === 'read'),
    },
    { label: 'no tools offered', choice: only(() => false) },
  ]
  const same = (other: ToolChoice) =>
    tools.every(({ name }) => offerStateOf(choice, name) === offerStateOf(other, name))
  const present = presets.findIndex((preset) => same(preset.choice))
  return (
    <Select
      inBar
      label="Tools offered"
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

const words = (count: number): string => `${count} ${plural(count, { one: 'tool', other: 'tools' })} offered`
