import { ForeignText } from '@/components/ui/text/foreign-text'
import { cx } from '@/components/ui/recipes/recipe'
import { toolLabel } from '@/lib/i18n/labels'
import { toolName } from '../styles/card'

/**
 * A tool's name: a built-in tool has a readable name with its identifier in small type, which is hidden on a phone. Any
 * other name is shown as it is.
 */
export function ToolName({ name, quiet = false }: { name: string; quiet?: boolean }) {
  const label = toolLabel(name)
  const look = quiet ? 'quiet' : undefined
  if (label === null) {
    return (
      <span className={toolName({ look }, 'font-mono text-mono')}>
        <ForeignText text={name} />
      </span>
    )
  }
  return (
    <>
      <span className={toolName({ look }, 'text-md')}>{label}</span>
      <span className={cx('min-w-0 shrink-8 truncate font-mono text-xs text-muted narrow:hidden')}>{name}</span>
    </>
  )
}
