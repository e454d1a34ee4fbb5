/**
 * What the plugin's resources answer. Written by `python -m scripts.render` from
 * commands/web: edit the shapes there, not this file.
 */
export {};

/**
 * @typedef {object} Tide
 * @property {number[]} tiers
 * @property {number} kept
 * @property {number} sinking_total
 * @property {MemoryShape[]} sinking
 * @property {MemoryShape[]} pictured
 * @property {number} learnt
 * @property {Record<"weakened" | "demoted" | "archived" | "binned" | "summarised" | "emptied" | "purged" | "reread" | "overlooked" | "conflict_found" | "conflict_settled" | "related" | "enriched" | "merged" | "intention_stale" | "graduated" | "profiled" | "reworded" | "threaded" | "grouped" | "linked", number>} deeds
 * @property {number | null} slept_at
 * @property {"admins_only" | "not_revealed" | "reason_needed" | "only_this_chat" | "unknown_scope" | "unknown_memory" | "ambiguous_id" | "not_yours" | "in_bin" | "archived" | "quarantined" | "not_quarantined" | "only_by_owner" | "paused" | "group_paused" | "not_recorded" | "empty" | "too_long" | "unchanged" | "no_files" | "unknown_backup" | "being_moved" | "wrong_code" | "nothing_there" | "only_in_groups" | "only_in_private" | "unknown_account" | "unknown_file" | "another_plugins" | "no_conflict" | "not_binned" | "not_gone" | "being_purged" | "unknown_report" | "unknown_decision" | "sources_gone" | "not_undoable" | "no_intention" | "no_such_line" | "unknown_batch" | "nothing_recalled" | "private_block" | "import_running" | "no_tag" | "unknown_job" | "not_by_key" | "too_many_tags" | null} why_masked
 * @property {number} now
 */

/**
 * @typedef {object} MemoryShape
 * @property {string} id
 * @property {string} owner
 * @property {string} owner_name
 * @property {"private" | "group"} owner_kind
 * @property {string} persona
 * @property {"evidence" | "episodic" | "semantic" | "procedural" | "prospective" | "narrative"} kind
 * @property {string} text
 * @property {boolean} masked
 * @property {string} speaker
 * @property {number} tier
 * @property {number} strength
 * @property {number} useful
 * @property {"live" | "archived" | "binned" | "quarantined"} status
 * @property {"user" | "bot" | "inferred" | "imported" | "correction"} source
 * @property {boolean} important
 * @property {boolean} pinned
 * @property {number} created_at
 * @property {number} happened_at
 * @property {number | null} sinks_at
 * @property {string} replaced
 * @property {string} removal
 * @property {string} removal_detail
 * @property {number | null} purge_at
 */

/**
 * @typedef {object} HealthShape
 * @property {string[]} amiss
 * @property {number} recalls
 * @property {number} late
 * @property {number} by_words
 * @property {number} calls
 * @property {number} most_calls
 * @property {number} tokens
 * @property {number} most_tokens
 * @property {number} now
 */

/**
 * @typedef {object} Begun
 * @property {boolean} begun
 * @property {number} now
 */

/**
 * @typedef {object} Browsable
 * @property {OwnerView[]} owners
 * @property {string[]} personas
 * @property {number} now
 */

/**
 * @typedef {object} OwnerView
 * @property {string} owner
 * @property {"private" | "group"} kind
 * @property {string} platform
 * @property {string} subject
 * @property {string} name
 * @property {number} live
 */

/**
 * @typedef {object} MemoryPage
 * @property {MemoryShape[]} memories
 * @property {number} page
 * @property {number} pages
 * @property {number} total
 * @property {string} why_masked
 * @property {number} left_out
 * @property {number} now
 */

/**
 * @typedef {object} MemoryDetails
 * @property {MemoryShape} memory
 * @property {number} trust
 * @property {"positive" | "negative" | "neutral"} mood
 * @property {boolean} spent
 * @property {boolean} editable
 * @property {MemoryShape | null} replaced_by
 * @property {SourceMessage[]} sources
 * @property {MemoryShape[]} chain
 * @property {StoryLineShape[]} story
 * @property {MemoryShape[]} threads
 * @property {EventShape[]} history
 * @property {number[]} shown_at
 * @property {Media[]} media
 * @property {string} why_masked
 * @property {number} now
 */

/**
 * @typedef {object} SourceMessage
 * @property {number} at
 * @property {string} text
 * @property {string} speaker
 * @property {boolean} by_bot
 */

/**
 * @typedef {object} StoryLineShape
 * @property {string} day
 * @property {string} said
 * @property {MemoryShape[]} memories
 */

/**
 * @typedef {object} EventShape
 * @property {number} at
 * @property {string} action
 * @property {string} by
 * @property {string} reason
 * @property {string} removal
 * @property {string} newer
 */

/**
 * @typedef {object} Media
 * @property {string} id
 * @property {"image" | "audio" | "document" | "video" | "code_snippet" | "sticker"} type
 * @property {string} url
 * @property {string} caption
 * @property {string} name
 * @property {string} preview
 */

/**
 * @typedef {object} WrittenMemory
 * @property {MemoryShape} memory
 * @property {boolean} new
 * @property {number} now
 */

/**
 * @typedef {object} ChangedMemories
 * @property {string[]} done
 * @property {Record<string, string>} refused
 * @property {number} now
 */

/**
 * @typedef {object} PersonShape
 * @property {string} owner
 * @property {string} name
 * @property {"private" | "group"} kind
 * @property {boolean} paused
 * @property {boolean} shared
 * @property {boolean} reminded
 * @property {number | null} keep_days
 * @property {Record<string, number>} kinds
 * @property {AccountShape[]} accounts
 * @property {LineShape[]} lines
 * @property {string} why_masked
 * @property {number} now
 */

/**
 * @typedef {object} AccountShape
 * @property {string} platform
 * @property {string} user
 * @property {string} name
 */

/**
 * @typedef {object} LineShape
 * @property {string} section
 * @property {MemoryShape} memory
 */

/**
 * @typedef {object} JoinedShape
 * @property {AccountShape[]} accounts
 * @property {number} now
 */

/**
 * @typedef {object} TurnList
 * @property {TurnShape[]} turns
 * @property {string} why_masked
 * @property {number} now
 */

/**
 * @typedef {object} TurnShape
 * @property {number} turn
 * @property {number} at
 * @property {string} owner
 * @property {string} owner_name
 * @property {"private" | "group"} owner_kind
 * @property {string} asker
 * @property {string} text
 * @property {boolean} masked
 * @property {number} shown
 * @property {string} silence
 * @property {number} milliseconds
 */

/**
 * @typedef {object} RecallReportShape
 * @property {string} question
 * @property {number} at
 * @property {string} owner
 * @property {string} owner_name
 * @property {"private" | "group"} owner_kind
 * @property {RecallShape[]} recalls
 * @property {string} block
 * @property {string} why_masked
 * @property {number} now
 */

/**
 * @typedef {object} RecallShape
 * @property {ShownShape[]} shown
 * @property {LeftOutShape[]} left_out
 * @property {LegReport[]} legs
 * @property {string} silence
 * @property {number | null} worth
 * @property {number} tokens
 * @property {number} milliseconds
 */

/**
 * @typedef {object} ShownShape
 * @property {number} number
 * @property {MemoryShape | null} memory
 * @property {string[]} legs
 * @property {number} fit
 * @property {ReasonShape[]} reasons
 */

/**
 * @typedef {object} ReasonShape
 * @property {string} column
 * @property {number} weight
 */

/**
 * @typedef {object} LeftOutShape
 * @property {string} reason
 * @property {number} count
 * @property {MemoryShape[]} examples
 */

/**
 * @typedef {object} LegReport
 * @property {"semantic" | "text" | "entity" | "time" | "prospective" | "causal"} leg
 * @property {"ok" | "late" | "failed" | "off"} state
 * @property {number} hits
 * @property {number} milliseconds
 * @property {string} problem
 */

/**
 * @typedef {object} PoliciesShape
 * @property {string[]} names
 * @property {string} policy
 * @property {RateShape[]} rates
 * @property {number} now
 */

/**
 * @typedef {object} RateShape
 * @property {"evidence" | "episodic" | "semantic" | "procedural" | "prospective" | "narrative"} kind
 * @property {number} mean
 * @property {number} deviation
 * @property {number} judged
 */

/**
 * @typedef {object} ForesightShape
 * @property {number[]} days
 * @property {number} live
 * @property {number} kept
 * @property {ForeseenShape[]} policies
 * @property {boolean} comparable
 * @property {string} missing
 * @property {string} why_masked
 * @property {number} now
 */

/**
 * @typedef {object} ForeseenShape
 * @property {string} policy
 * @property {number[]} left
 * @property {number} going
 * @property {Going[]} first
 */

/**
 * @typedef {object} Going
 * @property {MemoryShape} memory
 * @property {number} at
 * @property {number | null} elsewhere
 */

/**
 * @typedef {object} SimulationShape
 * @property {LifeShape[]} lives
 * @property {number} years
 * @property {boolean} complete
 * @property {string} problem
 * @property {string} missing
 * @property {number} now
 */

/**
 * @typedef {object} LifeShape
 * @property {string} policy
 * @property {number} created
 * @property {number[]} tiers
 * @property {number} forgotten
 * @property {number} mean_days
 * @property {number[]} monthly
 */

/**
 * @typedef {object} EntityGraph
 * @property {Node[]} nodes
 * @property {Link[]} links
 * @property {MemoryShape[]} memories
 * @property {number} total
 * @property {number} left_out
 * @property {"admins_only" | "not_revealed" | "reason_needed" | "only_this_chat" | "unknown_scope" | "unknown_memory" | "ambiguous_id" | "not_yours" | "in_bin" | "archived" | "quarantined" | "not_quarantined" | "only_by_owner" | "paused" | "group_paused" | "not_recorded" | "empty" | "too_long" | "unchanged" | "no_files" | "unknown_backup" | "being_moved" | "wrong_code" | "nothing_there" | "only_in_groups" | "only_in_private" | "unknown_account" | "unknown_file" | "another_plugins" | "no_conflict" | "not_binned" | "not_gone" | "being_purged" | "unknown_report" | "unknown_decision" | "sources_gone" | "not_undoable" | "no_intention" | "no_such_line" | "unknown_batch" | "nothing_recalled" | "private_block" | "import_running" | "no_tag" | "unknown_job" | "not_by_key" | "too_many_tags" | null} why_masked
 * @property {number} now
 */

/**
 * @typedef {object} Node
 * @property {string} id
 * @property {string} name
 * @property {number} count
 * @property {string} community
 * @property {boolean} person
 */

/**
 * @typedef {object} Link
 * @property {string} one
 * @property {string} other
 * @property {number} count
 * @property {string[]} predicates
 */

/**
 * @typedef {object} SettingsShape
 * @property {SettingShape[]} settings
 * @property {number} now
 */

/**
 * @typedef {object} SettingShape
 * @property {string} name
 * @property {"object" | "switch" | "text" | "zone" | "rules" | "choice" | "whole" | "number" | "changeable"} kind
 * @property {number | null} low
 * @property {number | null} high
 * @property {number | null} step
 * @property {string[]} choices
 * @property {boolean | number | string} value
 * @property {boolean | number | string} default
 * @property {boolean | number | string} file
 * @property {"default" | "file" | "override"} origin
 * @property {boolean} secret
 * @property {boolean} changeable
 * @property {boolean} basic
 * @property {boolean} idle
 * @property {string} needs
 * @property {string} needs_value
 * @property {string} by
 * @property {number} at
 * @property {string} problem
 */

/**
 * @typedef {object} SettingChanged
 * @property {SettingShape[]} settings
 * @property {string} problem
 * @property {string} missing
 * @property {number} now
 */

/**
 * @typedef {object} Prompts
 * @property {OwnPrompt[]} prompts
 * @property {"empty" | "too_long" | "unreadable" | "lacking" | "unknown" | null} fault
 * @property {string[]} lacking
 * @property {number} now
 */

/**
 * @typedef {object} OwnPrompt
 * @property {string} name
 * @property {string} call
 * @property {string} text
 * @property {string[]} needed
 * @property {number} tokens
 * @property {boolean} changed
 * @property {string} by
 * @property {number} at
 * @property {"empty" | "too_long" | "unreadable" | "lacking" | "unknown" | null} fault
 */

/**
 * @typedef {object} ConflictPage
 * @property {BrowsedConflict[]} conflicts
 * @property {number} page
 * @property {number} pages
 * @property {number} total
 * @property {string} why_masked
 * @property {number} now
 */

/**
 * @typedef {object} BrowsedConflict
 * @property {string} attribute
 * @property {MemoryShape[]} claims
 */

/**
 * @typedef {object} SettledShape
 * @property {MemoryShape} memory
 * @property {number} withdrawn
 * @property {number} now
 */

/**
 * @typedef {object} BothShape
 * @property {number} count
 * @property {boolean} hold
 * @property {number} now
 */

/**
 * @typedef {object} PlanPage
 * @property {PlanShape[]} plans
 * @property {Record<"open" | "due" | "closed" | "stale", number>} counts
 * @property {number} page
 * @property {number} pages
 * @property {number} total
 * @property {number} now
 */

/**
 * @typedef {object} PlanShape
 * @property {MemoryShape} memory
 * @property {"plan" | "idea" | "decision" | "question" | "insight"} type
 * @property {number | null} due_at
 * @property {number} closed_at
 * @property {boolean} given_up
 */

/**
 * @typedef {object} SleepPage
 * @property {SleepShape[]} sleeps
 * @property {number} page
 * @property {number} pages
 * @property {number} total
 * @property {number} now
 */

/**
 * @typedef {object} SleepShape
 * @property {number} id
 * @property {number} at
 * @property {"interval" | "quiet" | "night" | "command"} cause
 * @property {string} place
 * @property {string} place_name
 * @property {Record<"weakened" | "demoted" | "archived" | "binned" | "summarised" | "emptied" | "purged" | "reread" | "overlooked" | "conflict_found" | "conflict_settled" | "related" | "enriched" | "merged" | "intention_stale" | "graduated" | "profiled" | "reworded" | "threaded" | "grouped" | "linked", number>} deeds
 * @property {Record<"unchanged" | "seen" | "young" | "different" | "no_model" | "budget" | "failed", number>} left
 * @property {number} calls
 * @property {number} tokens
 */

/**
 * @typedef {object} SleepDecisions
 * @property {SleepShape} sleep
 * @property {DecisionShape[]} decisions
 * @property {number} page
 * @property {number} pages
 * @property {number} now
 */

/**
 * @typedef {object} DecisionShape
 * @property {number} id
 * @property {"weakened" | "demoted" | "archived" | "binned" | "summarised" | "emptied" | "purged" | "reread" | "overlooked" | "conflict_found" | "conflict_settled" | "related" | "enriched" | "merged" | "intention_stale" | "graduated" | "profiled" | "reworded" | "threaded" | "grouped" | "linked"} deed
 * @property {string} reason
 * @property {MemoryShape[]} memories
 * @property {number | null} undone_at
 */

/**
 * @typedef {object} ExportedShape
 * @property {string} file
 * @property {string} folder
 * @property {number} count
 * @property {JobShape | null} job
 * @property {number} now
 */

/**
 * @typedef {object} JobShape
 * @property {string} id
 * @property {"model" | "import" | "backup" | "export" | "simulation" | "migration" | "embedding" | "sleep"} kind
 * @property {"running" | "done" | "failed" | "cancelled" | "interrupted"} state
 * @property {string} by
 * @property {string} subject
 * @property {number} done
 * @property {number} total
 * @property {number | null} started_at
 * @property {string} problem
 * @property {Record<string, string>} outcome
 */

/**
 * @typedef {object} DownloadLink
 * @property {string} name
 * @property {string} code
 * @property {number} now
 */

/**
 * @typedef {object} StorageShape
 * @property {string} backend
 * @property {number} count
 * @property {string[]} targets
 * @property {Move | null} move
 * @property {number} now
 */

/**
 * @typedef {object} Move
 * @property {string} source
 * @property {string} target
 * @property {number} at
 * @property {"copying" | "failed" | "switched"} stage
 * @property {number} copied
 * @property {number} total
 * @property {string} problem
 */

/**
 * @typedef {object} MoveAsked
 * @property {string} code
 * @property {number} count
 * @property {string} problem
 * @property {string} missing
 * @property {number} now
 */

/**
 * @typedef {object} KeptBackups
 * @property {Backup[]} backups
 * @property {number} now
 */

/**
 * @typedef {object} Backup
 * @property {string} name
 * @property {number} at
 * @property {"daily" | "asked" | "restore"} occasion
 * @property {string} backend
 * @property {number} size
 * @property {number} memories
 * @property {number} held
 */

/**
 * @typedef {object} BackupMade
 * @property {Backup | null} backup
 * @property {JobShape | null} job
 * @property {number} now
 */

/**
 * @typedef {object} RestoreAsked
 * @property {string} code
 * @property {string} before
 * @property {number} held
 * @property {number} now
 */

/**
 * @typedef {object} JobsShape
 * @property {JobShape[]} jobs
 * @property {number} now
 */

/**
 * @typedef {object} Imports
 * @property {string[]} names
 * @property {string} folder
 * @property {Batch[]} batches
 * @property {number} now
 */

/**
 * @typedef {object} Batch
 * @property {string} id
 * @property {string} program
 * @property {string} file
 * @property {number} at
 * @property {"begun" | "done" | "undone"} state
 * @property {number} added
 * @property {number} skipped
 * @property {number} kept
 */

/**
 * @typedef {object} ImportLooked
 * @property {string} program
 * @property {string} version
 * @property {ImportChatShape[]} chats
 * @property {Record<string, number>} skipped
 * @property {number} new
 * @property {number} known
 * @property {string} batch
 * @property {string} problem
 * @property {string} detail
 * @property {number} now
 */

/**
 * @typedef {object} ImportChatShape
 * @property {number} number
 * @property {string} chat
 * @property {string} persona
 * @property {"private" | "group" | null} kind
 * @property {string} platform
 * @property {string} subject
 * @property {string} name
 * @property {boolean} left_out
 * @property {boolean} known_platform
 * @property {number} new
 * @property {number} known
 * @property {number} skipped
 */

/**
 * @typedef {object} ImportStarted
 * @property {ImportLooked | null} looked
 * @property {JobShape | null} job
 * @property {number} now
 */

/**
 * @typedef {object} UndoAsked
 * @property {string} code
 * @property {number} going
 * @property {number} staying
 * @property {number} now
 */
