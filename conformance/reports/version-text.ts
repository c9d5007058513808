/** A version with its commit: two builds of one version may differ. */
export const versionText = ({ version, commit }: { version: string; commit?: string | undefined }): string =>
  `${version} (${commit ?? 'commit unknown'})`
