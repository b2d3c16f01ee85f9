/** Folder that an application's owner uploaded. */
export interface Upload {
  upload_id: string;
  /** SHA-256 of the folder's content. */
  sha256: string;
  /** Number of files and links. */
  files: number;
  /** Size of all files together. */
  bytes: number;
  uploaded_at: string;
}
