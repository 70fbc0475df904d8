'use client'

import { useMemo, useRef } from 'react'
import { type SealedFrameHandle, ForeignMarkup } from '../foreign/sealed-frame'
import PictureDownloads from './picture-downloads'

interface Props {
  readonly label: string
  readonly svg: string
  /** It was drawn before within a time limit, so no confirmation is needed. */
  readonly atOnce?: boolean
  readonly onAttach?: ((file: File) => void) | undefined
}

/** An SVG that a run displayed, isolated from the page, with its downloads. */
export default function DisplaySvg({ label, svg, atOnce = false, onAttach }: Props) {
  const frame = useRef<SealedFrameHandle>(null)
  const markup = useMemo(() => ({ kind: 'svg', text: svg }) as const, [svg])
  return (
    <>
      <ForeignMarkup label={label} markup={markup} height="content" handle={frame} atOnce={atOnce} />
      <PictureDownloads
        name={label}
        picture={{ kind: 'svg', svg, png: async () => (await frame.current?.png()) ?? null }}
        onAttach={onAttach}
      />
    </>
  )
}
