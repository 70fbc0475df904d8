'use client'

import { useMemo } from 'react'
import { ForeignMarkup } from '../foreign/sealed-frame'

/** Sound with a player, in the sealed frame: what decodes it is in another process, and reaches nothing. */
export default function DisplayAudio({ label, source }: { label: string; source: string }) {
  const markup = useMemo(() => ({ kind: 'html', text: `<audio controls src="${source}"></audio>` }) as const, [source])
  return <ForeignMarkup label={label} markup={markup} height="content" atOnce />
}
