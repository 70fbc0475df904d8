'use client'

import { useCallback, useState } from 'react'
import { asUntrusted, labelOf } from '@/lib/base/untrusted-text/foreign'
import { visibleText } from '@/lib/base/untrusted-text/foreign-text'
import { recipe } from '@/components/ui/recipes/recipe'
import { SegmentedControl } from '@/components/ui/forms/segmented-control'
import { t } from '@/lib/i18n/t'
import { FileBar, FileNotice } from './file-bar'

/** A ref for an image element that shows these bytes; the object URL is revoked with the element. */
export function useBlobSource(data: Uint8Array, type: string): (image: HTMLImageElement | null) => (() => void) | void {
  return useCallback(
    (image: HTMLImageElement | null) => {
      if (!image) return
      const address = URL.createObjectURL(new Blob([data as Uint8Array<ArrayBuffer>], { type }))
      image.src = address
      return () => URL.revokeObjectURL(address)
    },
    [data, type],
  )
}

export interface ImageViewProps {
  readonly path: string
  readonly data: Uint8Array
  readonly mimeType: string
}

/** A pattern that makes transparency visible. */
const ground = recipe(
  'grid min-h-32 flex-1 overflow-auto bg-[repeating-conic-gradient(var(--color-hover)_0_25%,var(--color-raised)_0_50%)] bg-size-[1rem_1rem] p-4',
  { zoom: { fit: 'grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,1fr)]', full: '' } },
)
const frame = recipe('m-auto grid min-h-0', { zoom: { fit: 'size-full', full: '' } })
const image = recipe('m-auto', { zoom: { fit: 'max-h-full max-w-full object-contain', full: 'max-w-none' } })

/** A raster picture as an image element. SVG has its own view (`svg-view.tsx`). */
export default function ImageView({ path, data, mimeType }: ImageViewProps) {
  const source = useBlobSource(data, mimeType)
  const [size, setSize] = useState<{ readonly width: number; readonly height: number } | null>(null)
  const [broken, setBroken] = useState<Uint8Array | null>(null)
  const [zoom, setZoom] = useState<'fit' | 'full'>('fit')
  if (broken === data) {
    return <FileNotice>{t('files-viewer.picture-damaged')}</FileNotice>
  }
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <FileBar facts={size === null ? '' : t('files-viewer.pixels', size)}>
        <SegmentedControl
          label={t('files-viewer.picture-size')}
          value={zoom}
          options={[
            { value: 'fit', label: t('files-viewer.fit') },
            { value: 'full', label: t('files-viewer.full-size') },
          ]}
          onChange={setZoom}
        />
      </FileBar>
      <div
        className={ground({ zoom })}
        tabIndex={0}
        role="group"
        aria-label={labelOf(t('files-viewer.picture', { path: asUntrusted(path) }))}
      >
        <picture className={frame({ zoom })}>
          <img
            ref={source}
            className={image({ zoom })}
            alt={visibleText(path, 'name')}
            onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
              setSize({ width: naturalWidth, height: naturalHeight })
            }
            onError={() => setBroken(data)}
          />
        </picture>
      </div>
    </div>
  )
}
