type Props = {
  size?: number
  /** The forwarder's own: a PNG, base64-encoded. */
  picture?: string | undefined
}

/** The forwarder's logo, or else the journey strip in its shortest form. */
export function Logo({ size = 26, picture }: Props) {
  if (picture !== undefined) {
    return <img src={`data:image/png;base64,${picture}`} alt="" height={size} style={{ maxWidth: 4 * size }} />
  }
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="var(--accent)" />
      <g stroke="var(--on-accent)" fill="var(--on-accent)">
        <path d="M6 20h20" strokeWidth="2.4" />
        <circle cx="7.5" cy="20" r="3.6" stroke="none" />
        <circle cx="24.5" cy="20" r="3.4" fill="var(--accent)" strokeWidth="2.2" />
        <path d="M12 8h9l-4.5 6.5z" stroke="none" />
      </g>
    </svg>
  )
}
