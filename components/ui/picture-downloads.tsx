'use client'

import { useState } from 'react'
import { downloadBlob } from './download-blob'
import { svgToPng } from './svg-to-png'
import { TextButton } from './text-button'

export interface PictureDownloadsProps {
  /** The picture as a data URL. */
  readonly source: string
  /** Without its ending, or with the right one. */
  readonly name: string
  /** The source of an SVG picture. */
  readonly svg: string | null
}

/** Keeps a shown picture: as it is, and an SVG as PNG too. */
export default function PictureDownloads({ source, name, svg }: PictureDownloadsProps) {
  const [failed, setFailed] = useState(false)
  const type = /^data:image\/(\w+)/.exec(source)?.[1] ?? 'png'
  const named = (ending: string) => (name.toLowerCase().endsWith(`.${ending}`) ? name : `${name}.${ending}`)
  const savePng = async (text: string) => {
    const blob = await svgToPng(text)
    setFailed(blob === null)
    if (blob) downloadBlob(named('png'), blob)
  }
  if (svg === null) {
    return (
      <p className="shown-do">
        <TextButton onClick={() => downloadBlob(named(type === 'jpeg' ? 'jpg' : type), blobOf(source))}>
          Download {type === 'webp' ? 'WebP' : type.toUpperCase()}
        </TextButton>
      </p>
    )
  }
  return (
    <p className="shown-do">
      <TextButton onClick={() => downloadBlob(named('svg'), new Blob([svg], { type: 'image/svg+xml' }))}>
        Download SVG
      </TextButton>
      <TextButton onClick={() => void savePng(svg)}>Download PNG</TextButton>
      {failed ? <span role="status">This picture can’t be drawn as PNG here.</span> : null}
    </p>
  )
}

/** The bytes of a base64 data URL. */
function blobOf(url: string): Blob {
  const type = url.slice(5, url.indexOf(';'))
  const bytes = Uint8Array.from(atob(url.slice(url.indexOf(',') + 1)), (character) => character.charCodeAt(0))
  return new Blob([bytes], { type })
}
