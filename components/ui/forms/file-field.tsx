import type { ComponentProps, RefObject } from 'react'
import { visibleProse } from '@/lib/base/untrusted-text/foreign-text'

interface FileFieldProps extends Pick<ComponentProps<'input'>, 'accept' | 'multiple' | 'disabled'> {
  readonly field: RefObject<HTMLInputElement | null>
  readonly label: string
  /** A folder with everything in it. */
  readonly folder?: boolean
  /** At least one file. */
  readonly onPick: (files: readonly File[]) => void
}

/**
 * A hidden file field: a button of the page opens it with `field.current?.click()`, because the browser labels its own
 * button in the browser's language. The same file can be picked twice in a row.
 */
export function FileField({ field, label, folder = false, onPick, ...kind }: FileFieldProps) {
  return (
    <input
      ref={field}
      type="file"
      hidden
      aria-label={visibleProse(label)}
      {...kind}
      {...(folder ? { webkitdirectory: '' } : {})}
      onChange={({ currentTarget }) => {
        const files = [...(currentTarget.files ?? [])]
        currentTarget.value = ''
        if (files.length > 0) onPick(files)
      }}
    />
  )
}
