/** Container image that a deployment runs. */
export interface DeployedImage {
  /** Full name of the image, as the application had it when the deployment was requested. */
  name: string;
  /** Digest of the image's manifest, such as `sha256:9f86…`; null until the registry has answered. */
  digest: string | null;
}

/** Login of an application at its image's registry. */
export interface RegistryLogin {
  user: string;
  password: string;
}
