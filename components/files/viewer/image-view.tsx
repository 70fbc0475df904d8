'use client'

import { visibleText } from '@/lib/base/foreign-text/foreign-text'
import { useState } from 'react'
import { SegmentedControl } from '@/components/ui/segmented-control'
import { useBlobSource } from './use-blob-source'

export interface ImageViewProps {
  readonly path: string
  readonly data: Uint8Array
  readonly mimeType: string
}

/** A raster picture as an image element. SVG has a view of its own (`svg-view.tsx`). */
export default function ImageView({ path, data, mimeType }: ImageViewProps) {
  const source = useBlobSource(data, mimeType)
  const [size, setSize] = useState<{ readonly width: number; readonly height: number } | null>(null)
  const [broken, setBroken] = useState<Uint8Array | null>(null)
  const [zoom, setZoom] = useState<'fit' | 'full'>('fit')
  if (broken === data) {
    return (
      <p className="file-say">
        This picture can’t be shown: its data is damaged, or of a kind that this browser does not know.
      </p>
    )
  }
  return (
    <div className="image-view">
      <div className="file-bar">
        <span className="muted small num">{size === null ? '' : `${size.width} × ${size.height} pixels`}</span>
        <SegmentedControl
          label="Size of the picture"
          value={zoom}
          options={[
            { value: 'fit', label: 'Fit' },
            { value: 'full', label: '100 %' },
          ]}
          onChange={setZoom}
        />
      </div>
      <div
        className={`image-ground ${zoom}`}
        tabIndex={0}
        role="group"
        aria-label={visibleText(`Picture: ${path}`, 'name')}
      >
        <picture>
          <img
            ref={source}
            alt={visibleText(path, 'name')}
            onLoad={({ currentTarget: image }) => setSize({ width: image.naturalWidth, height: image.naturalHeight })}
            onError={() => setBroken(data)}
          />
        </picture>
      </div>
    </div>
  )
}
