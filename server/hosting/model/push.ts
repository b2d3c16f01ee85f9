/** Push that the push hook received, and that waits for the comparison of its changes with the watch paths. */
export interface Push {
  delivery_id: string;
  application_uuid: string;
  environment_id: string;
}

/** Decision about a push. The commits and the number of changed paths are there if they were compared. */
export interface PushVerdict {
  deploys: boolean;
  /** Newest commit of the branch. */
  commit?: string;
  /** Commit that was deployed last. */
  base?: string;
  changed?: number;
}
