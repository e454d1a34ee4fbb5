/**
 * What the plugin's resources answer. Written by `python -m scripts.render` from what the actions
 * answer: edit it there, not this file.
 */
export {};

/**
 * @typedef {object} Tide
 * @property {number[]} tiers
 * @property {number} kept
 * @property {number} sinking_total
 * @property {MemoryView[]} sinking
 * @property {MemoryView[]} pictured
 * @property {number} learnt
 * @property {Record<"weakened" | "demoted" | "archived" | "binned" | "summarised" | "emptied" | "purged" | "reread" | "overlooked" | "conflict_found" | "conflict_settled" | "related" | "enriched" | "merged" | "intention_stale" | "graduated" | "profiled" | "reworded" | "threaded" | "grouped" | "linked", number>} deeds
 * @property {number | null} slept_at
 * @property {Spending} spending
 * @property {"admins_only" | "not_revealed" | "reason_needed" | "only_this_chat" | "unknown_scope" | "unknown_memory" | "ambiguous_id" | "not_yours" | "in_bin" | "archived" | "quarantined" | "not_quarantined" | "only_by_owner" | "paused" | "group_paused" | "not_recorded" | "empty" | "too_long" | "unchanged" | "no_files" | "unknown_backup" | "being_moved" | "wrong_code" | "nothing_there" | "only_in_groups" | "only_in_private" | "unknown_account" | "unknown_file" | "another_plugins" | "no_conflict" | "not_binned" | "not_gone" | "being_purged" | "unknown_report" | "unknown_decision" | "sources_gone" | "not_undoable" | "no_intention" | "no_such_line" | "unknown_batch" | "nothing_recalled" | "private_block" | "import_running" | "no_tag" | "unknown_job" | "not_by_key" | "holds_forgotten" | "too_many_tags" | "missing" | "bad_rule" | "unfit" | "unknown_setting" | "fixed" | "not_changed" | "nothing_changed" | "stopped" | "busy" | "too_large" | null} why_masked
 * @property {number} now
 */

/**
 * @typedef {object} MemoryView
 * @property {string} id
 * @property {Owner} owner
 * @property {number} tier
 * @property {string} speaker_name
 * @property {number | null} sinks_at
 * @property {boolean} masked
 * @property {string} scope
 * @property {"evidence" | "episodic" | "semantic" | "procedural" | "prospective" | "narrative"} kind
 * @property {string} text
 * @property {string} summary
 * @property {number} created_at
 * @property {number} happened_at
 * @property {Vitality} vitality
 * @property {Access} access
 * @property {"user" | "bot" | "inferred" | "imported" | "correction"} source
 * @property {"turn" | "rules" | "model" | "command" | "tool" | "import"} extractor
 * @property {Standing} standing
 * @property {"instruction" | "preference" | "workflow" | "episodic" | null} facet
 * @property {number} importance
 * @property {number} confidence
 * @property {number} trust
 * @property {Speaker | null} speaker
 * @property {string[]} about
 * @property {string[]} tags
 * @property {Sentiment} sentiment
 * @property {UserFeedback} feedback
 * @property {Community} community
 * @property {Event | null} event
 * @property {Origin} origin
 * @property {Successor | null} successor
 * @property {Claim | null} claim
 * @property {Intention | null} intention
 */

/**
 * @typedef {object} Owner
 * @property {string} key
 * @property {"private" | "group"} kind
 * @property {string} platform
 * @property {string} subject
 * @property {string} name
 */

/**
 * @typedef {object} Vitality
 * @property {number} strength
 * @property {number} useful_count
 * @property {number} useful_score
 * @property {boolean} pinned
 * @property {number} last_recalled_at
 * @property {number} last_decay_at
 * @property {number[]} judged
 * @property {number} settled_at
 * @property {number} stability
 * @property {number} difficulty
 * @property {boolean} sole
 */

/**
 * @typedef {object} Access
 * @property {number} first_at
 * @property {number} last_at
 * @property {number} count
 */

/**
 * @typedef {object} Standing
 * @property {"live" | "archived" | "binned" | "quarantined"} status
 * @property {number} since
 * @property {string} reason
 * @property {number | null} purge_at
 */

/**
 * @typedef {object} Speaker
 * @property {string} id
 * @property {string} name
 */

/**
 * @typedef {object} Sentiment
 * @property {"positive" | "negative" | "neutral"} mood
 * @property {number} intensity
 */

/**
 * @typedef {object} UserFeedback
 * @property {boolean | null} accurate
 * @property {boolean | null} important
 * @property {string | null} correction
 */

/**
 * @typedef {object} Community
 * @property {string} id
 * @property {number} calculated_at
 */

/**
 * @typedef {object} Event
 * @property {string} id
 * @property {string} type
 */

/**
 * @typedef {object} Origin
 * @property {string} session
 * @property {string} conversation
 * @property {string} episode
 * @property {number[]} turns
 */

/**
 * @typedef {object} Successor
 * @property {string} memory
 * @property {"corrects" | "supersedes" | "updates" | "merges"} how
 */

/**
 * @typedef {object} Claim
 * @property {string} subject
 * @property {string} attribute
 * @property {string} value
 * @property {number} valid_from
 * @property {number | null} valid_to
 * @property {boolean} denied
 */

/**
 * @typedef {object} Intention
 * @property {"plan" | "idea" | "decision" | "question" | "insight"} type
 * @property {"open" | "referenced" | "closed" | "stale"} status
 * @property {number | null} due_at
 * @property {number} referenced_at
 * @property {number} confirmed
 * @property {number} surfaced_at
 * @property {number} closed_at
 * @property {string} closed_by
 * @property {boolean} given_up
 * @property {number} messaged_at
 */

/**
 * @typedef {object} Spending
 * @property {number} calls
 * @property {number} tokens
 * @property {number} most_tokens
 */

/**
 * @typedef {object} Health
 * @property {Record<string, Incident>} incidents
 * @property {[Work, string][]} dead
 * @property {string[]} unreadable
 * @property {Problem[]} problems
 * @property {Disagreement | null} disagreement
 * @property {boolean} no_model
 * @property {boolean} no_embedder
 * @property {EmbedderState | null} embedder
 * @property {Record<string, string>} unread
 * @property {number} recalls
 * @property {number} late
 * @property {number} by_words
 * @property {boolean} traces
 * @property {number} now
 */

/**
 * @typedef {object} Incident
 * @property {number} count
 * @property {number} last_at
 * @property {string} text
 */

/**
 * @typedef {object} Work
 * @property {number} id
 * @property {"index_turn" | "learn" | "unshare" | "erase" | "sleep"} kind
 * @property {string} key
 * @property {Record<string, any>} payload
 * @property {number} attempts
 * @property {number} not_before
 */

/**
 * @typedef {object} Problem
 * @property {string} name
 * @property {Wanted} wanted
 * @property {string} given
 * @property {"default" | "file" | "override"} origin
 */

/**
 * @typedef {object} Wanted
 * @property {"object" | "switch" | "text" | "zone" | "rules" | "hours" | "address" | "choice" | "whole" | "number" | "changeable"} kind
 * @property {number | null} low
 * @property {number | null} high
 * @property {string[]} choices
 */

/**
 * @typedef {object} Disagreement
 * @property {string} in_force
 * @property {string} chosen
 */

/**
 * @typedef {object} EmbedderState
 * @property {EmbedderInForce | MissingModel | null} in_force
 * @property {string} local
 * @property {Job | null} installing
 * @property {boolean} runtime
 * @property {boolean} makes_do
 * @property {boolean} offered
 */

/**
 * @typedef {object} EmbedderInForce
 * @property {string} sort
 * @property {string} fingerprint
 * @property {number} done
 * @property {number} total
 */

/**
 * @typedef {object} MissingModel
 * @property {string} problem
 */

/**
 * @typedef {object} Job
 * @property {string} id
 * @property {"model" | "import" | "backup" | "export" | "simulation" | "migration" | "embedding" | "sleep"} kind
 * @property {"running" | "done" | "failed" | "cancelled" | "interrupted"} state
 * @property {string} by
 * @property {string} subject
 * @property {number} done
 * @property {number} total
 * @property {number | null} started_at
 * @property {number | null} ended_at
 * @property {string} problem
 * @property {"damaged" | "foreign" | "newer" | "full" | "read_only" | "locked" | "held" | "unreadable" | "unreachable" | "refused" | "missing" | "lost" | "apart" | "moving" | "other" | null} fault
 * @property {string} file
 * @property {Record<string, string | number>} outcome
 */

/**
 * @typedef {object} TokenLedger
 * @property {Expense[]} expenses
 * @property {Census[]} censuses
 * @property {number} price
 * @property {number} now
 */

/**
 * @typedef {object} Expense
 * @property {string} month
 * @property {"learning" | "sleep" | "block"} purpose
 * @property {number} calls
 * @property {number} tokens
 */

/**
 * @typedef {object} Census
 * @property {string} day
 * @property {[number, number, number]} tiers
 */

/**
 * @typedef {object} Browsable
 * @property {Owner[]} owners
 * @property {Record<string, number>} live
 * @property {string[]} personas
 * @property {number} now
 */

/**
 * @typedef {object} Browsed
 * @property {{entries: MemoryView[], number: number, pages: number, total: number}} page
 * @property {"admins_only" | "not_revealed" | "reason_needed" | "only_this_chat" | "unknown_scope" | "unknown_memory" | "ambiguous_id" | "not_yours" | "in_bin" | "archived" | "quarantined" | "not_quarantined" | "only_by_owner" | "paused" | "group_paused" | "not_recorded" | "empty" | "too_long" | "unchanged" | "no_files" | "unknown_backup" | "being_moved" | "wrong_code" | "nothing_there" | "only_in_groups" | "only_in_private" | "unknown_account" | "unknown_file" | "another_plugins" | "no_conflict" | "not_binned" | "not_gone" | "being_purged" | "unknown_report" | "unknown_decision" | "sources_gone" | "not_undoable" | "no_intention" | "no_such_line" | "unknown_batch" | "nothing_recalled" | "private_block" | "import_running" | "no_tag" | "unknown_job" | "not_by_key" | "holds_forgotten" | "too_many_tags" | "missing" | "bad_rule" | "unfit" | "unknown_setting" | "fixed" | "not_changed" | "nothing_changed" | "stopped" | "busy" | "too_large" | null} why_masked
 * @property {number} left_out
 * @property {number} literal
 * @property {number} now
 */

/**
 * @typedef {object} Details
 * @property {MemoryView} memory
 * @property {number} trust
 * @property {Media[]} media
 * @property {Replaced | null} replaced
 * @property {MemoryView[]} corrected
 * @property {boolean} editable
 * @property {HistoryEntry[]} history
 * @property {SourceMessage[]} sources
 * @property {MemoryView[]} chain
 * @property {ToldLine[]} story
 * @property {MemoryView[]} threads
 * @property {"admins_only" | "not_revealed" | "reason_needed" | "only_this_chat" | "unknown_scope" | "unknown_memory" | "ambiguous_id" | "not_yours" | "in_bin" | "archived" | "quarantined" | "not_quarantined" | "only_by_owner" | "paused" | "group_paused" | "not_recorded" | "empty" | "too_long" | "unchanged" | "no_files" | "unknown_backup" | "being_moved" | "wrong_code" | "nothing_there" | "only_in_groups" | "only_in_private" | "unknown_account" | "unknown_file" | "another_plugins" | "no_conflict" | "not_binned" | "not_gone" | "being_purged" | "unknown_report" | "unknown_decision" | "sources_gone" | "not_undoable" | "no_intention" | "no_such_line" | "unknown_batch" | "nothing_recalled" | "private_block" | "import_running" | "no_tag" | "unknown_job" | "not_by_key" | "holds_forgotten" | "too_many_tags" | "missing" | "bad_rule" | "unfit" | "unknown_setting" | "fixed" | "not_changed" | "nothing_changed" | "stopped" | "busy" | "too_large" | null} why_masked
 * @property {number} now
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
 * @typedef {object} Replaced
 * @property {"corrects" | "supersedes" | "updates" | "merges"} how
 * @property {MemoryView | null} newer
 */

/**
 * @typedef {object} HistoryEntry
 * @property {number} at
 * @property {string} action
 * @property {string} by
 * @property {Record<string, number>} numbers
 * @property {string} removal
 * @property {string} reason
 * @property {string} newer
 * @property {boolean} spent
 */

/**
 * @typedef {object} SourceMessage
 * @property {number} at
 * @property {string} text
 * @property {string} speaker
 * @property {boolean} by_bot
 */

/**
 * @typedef {object} ToldLine
 * @property {string} said
 * @property {MemoryView[]} memories
 */

/**
 * @typedef {object} RememberedMemory
 * @property {MemoryView} memory
 * @property {boolean} new
 * @property {boolean} marked
 * @property {number} now
 */

/**
 * @typedef {object} Edited
 * @property {MemoryView} before
 * @property {MemoryView | null} after
 * @property {number} now
 */

/**
 * @typedef {object} ChangedMemories
 * @property {string[]} done
 * @property {Record<string, string>} refused
 * @property {number} now
 */

/**
 * @typedef {object} PersonDetails
 * @property {Owner} owner
 * @property {Consent} consent
 * @property {Record<"evidence" | "episodic" | "semantic" | "procedural" | "prospective" | "narrative", number>} kinds
 * @property {Owner[]} accounts
 * @property {(["wishes" | "health" | "who" | "people" | "work" | "tastes" | "plans", MemoryView])[]} lines
 * @property {"admins_only" | "not_revealed" | "reason_needed" | "only_this_chat" | "unknown_scope" | "unknown_memory" | "ambiguous_id" | "not_yours" | "in_bin" | "archived" | "quarantined" | "not_quarantined" | "only_by_owner" | "paused" | "group_paused" | "not_recorded" | "empty" | "too_long" | "unchanged" | "no_files" | "unknown_backup" | "being_moved" | "wrong_code" | "nothing_there" | "only_in_groups" | "only_in_private" | "unknown_account" | "unknown_file" | "another_plugins" | "no_conflict" | "not_binned" | "not_gone" | "being_purged" | "unknown_report" | "unknown_decision" | "sources_gone" | "not_undoable" | "no_intention" | "no_such_line" | "unknown_batch" | "nothing_recalled" | "private_block" | "import_running" | "no_tag" | "unknown_job" | "not_by_key" | "holds_forgotten" | "too_many_tags" | "missing" | "bad_rule" | "unfit" | "unknown_setting" | "fixed" | "not_changed" | "nothing_changed" | "stopped" | "busy" | "too_large" | null} why_masked
 * @property {number} now
 */

/**
 * @typedef {object} Consent
 * @property {boolean} paused
 * @property {boolean} shared
 * @property {number | null} keep_days
 * @property {boolean} reminded
 * @property {"all" | "addressed" | "none" | null} recording
 * @property {boolean} silent
 */

/**
 * @typedef {object} Me
 * @property {Owner[]} accounts
 * @property {Owner | null} webchat
 * @property {Consent} consent
 * @property {number} now
 */

/**
 * @typedef {object} Erased
 * @property {number} memories
 * @property {number} turns
 * @property {string} delayed
 * @property {string[]} exports
 * @property {boolean} recorded
 * @property {boolean} traces
 * @property {string[]} beside
 * @property {number} now
 */

/**
 * @typedef {object} RecalledTurns
 * @property {RecalledTurn[]} turns
 * @property {"admins_only" | "not_revealed" | "reason_needed" | "only_this_chat" | "unknown_scope" | "unknown_memory" | "ambiguous_id" | "not_yours" | "in_bin" | "archived" | "quarantined" | "not_quarantined" | "only_by_owner" | "paused" | "group_paused" | "not_recorded" | "empty" | "too_long" | "unchanged" | "no_files" | "unknown_backup" | "being_moved" | "wrong_code" | "nothing_there" | "only_in_groups" | "only_in_private" | "unknown_account" | "unknown_file" | "another_plugins" | "no_conflict" | "not_binned" | "not_gone" | "being_purged" | "unknown_report" | "unknown_decision" | "sources_gone" | "not_undoable" | "no_intention" | "no_such_line" | "unknown_batch" | "nothing_recalled" | "private_block" | "import_running" | "no_tag" | "unknown_job" | "not_by_key" | "holds_forgotten" | "too_many_tags" | "missing" | "bad_rule" | "unfit" | "unknown_setting" | "fixed" | "not_changed" | "nothing_changed" | "stopped" | "busy" | "too_large" | null} why_masked
 * @property {number} now
 */

/**
 * @typedef {object} RecalledTurn
 * @property {number} turn
 * @property {number} at
 * @property {Owner} owner
 * @property {string} asker
 * @property {string} text
 * @property {boolean} masked
 * @property {number} shown
 * @property {"greeting" | "nothing_found" | "too_weak" | "late" | null} silence
 * @property {number} milliseconds
 */

/**
 * @typedef {object} RecallReport
 * @property {string} question
 * @property {number} at
 * @property {Owner} owner
 * @property {ExplainedRecall[]} recalls
 * @property {string} block
 * @property {"admins_only" | "not_revealed" | "reason_needed" | "only_this_chat" | "unknown_scope" | "unknown_memory" | "ambiguous_id" | "not_yours" | "in_bin" | "archived" | "quarantined" | "not_quarantined" | "only_by_owner" | "paused" | "group_paused" | "not_recorded" | "empty" | "too_long" | "unchanged" | "no_files" | "unknown_backup" | "being_moved" | "wrong_code" | "nothing_there" | "only_in_groups" | "only_in_private" | "unknown_account" | "unknown_file" | "another_plugins" | "no_conflict" | "not_binned" | "not_gone" | "being_purged" | "unknown_report" | "unknown_decision" | "sources_gone" | "not_undoable" | "no_intention" | "no_such_line" | "unknown_batch" | "nothing_recalled" | "private_block" | "import_running" | "no_tag" | "unknown_job" | "not_by_key" | "holds_forgotten" | "too_many_tags" | "missing" | "bad_rule" | "unfit" | "unknown_setting" | "fixed" | "not_changed" | "nothing_changed" | "stopped" | "busy" | "too_large" | null} why_masked
 * @property {number} now
 */

/**
 * @typedef {object} ExplainedRecall
 * @property {Trace} trace
 * @property {ExplainedMemory[]} shown
 * @property {number} hidden
 * @property {LeftOut[]} left_out
 * @property {string[]} because
 */

/**
 * @typedef {object} Trace
 * @property {string} query
 * @property {string[]} scopes
 * @property {LegReport[]} legs
 * @property {Fused[]} candidates
 * @property {number} tokens
 * @property {number} milliseconds
 * @property {Trace[]} later
 * @property {(["factual" | "temporal" | "causal" | "procedural" | "exploratory" | "general", number])[]} intents
 * @property {"greeting" | "nothing_found" | "too_weak" | "late" | null} silence
 * @property {RerankReport} rerank
 * @property {[number, number][]} times
 * @property {string[]} due
 * @property {number | null} worth
 * @property {(["nats" | "top" | "asks", number])[]} numbers
 * @property {(["irrelevant" | "in_context" | "bare_question" | "distilled" | "duplicate" | "limit" | "budget" | "gone" | "unrecorded" | "superseded" | "unmentioned", number])[]} left_out
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
 * @typedef {object} Fused
 * @property {string} memory
 * @property {Hit[]} hits
 * @property {number} score
 * @property {string} via
 * @property {number | null} number
 * @property {"irrelevant" | "in_context" | "bare_question" | "distilled" | "duplicate" | "limit" | "budget" | "gone" | "unrecorded" | "superseded" | "unmentioned" | null} drop
 * @property {number} rrf
 * @property {(["meaning" | "words" | "rarest" | "side" | "time" | "graph" | "lasts", number])[]} reasons
 * @property {number[]} columns
 * @property {number | null} rerank
 * @property {string} behind
 */

/**
 * @typedef {object} Hit
 * @property {"semantic" | "text" | "entity" | "time" | "prospective" | "causal"} leg
 * @property {number} rank
 * @property {number} score
 * @property {number} relevance
 * @property {string} via
 * @property {string} view
 * @property {number} rarest
 * @property {number} nats
 */

/**
 * @typedef {object} RerankReport
 * @property {"ok" | "late" | "failed" | "off"} state
 * @property {number} asked
 * @property {number} judged
 * @property {number} milliseconds
 * @property {string} problem
 */

/**
 * @typedef {object} ExplainedMemory
 * @property {Fused} candidate
 * @property {MemoryView | null} memory
 */

/**
 * @typedef {object} LeftOut
 * @property {"irrelevant" | "in_context" | "bare_question" | "distilled" | "duplicate" | "limit" | "budget" | "gone" | "unrecorded" | "superseded" | "unmentioned"} reason
 * @property {number} count
 * @property {MemoryView[]} examples
 */

/**
 * @typedef {object} Policies
 * @property {string[]} names
 * @property {string} policy
 * @property {Rate[]} rates
 * @property {Rate[]} by_source
 * @property {number} now
 */

/**
 * @typedef {object} Rate
 * @property {"evidence" | "episodic" | "semantic" | "procedural" | "prospective" | "narrative" | "user" | "bot" | "inferred" | "imported" | "correction"} sort
 * @property {number} mean
 * @property {number} deviation
 * @property {number} judged
 */

/**
 * @typedef {object} Foresight
 * @property {number[]} days
 * @property {number} live
 * @property {number} kept
 * @property {ForeseenPolicy[]} policies
 * @property {boolean} comparable
 * @property {"admins_only" | "not_revealed" | "reason_needed" | "only_this_chat" | "unknown_scope" | "unknown_memory" | "ambiguous_id" | "not_yours" | "in_bin" | "archived" | "quarantined" | "not_quarantined" | "only_by_owner" | "paused" | "group_paused" | "not_recorded" | "empty" | "too_long" | "unchanged" | "no_files" | "unknown_backup" | "being_moved" | "wrong_code" | "nothing_there" | "only_in_groups" | "only_in_private" | "unknown_account" | "unknown_file" | "another_plugins" | "no_conflict" | "not_binned" | "not_gone" | "being_purged" | "unknown_report" | "unknown_decision" | "sources_gone" | "not_undoable" | "no_intention" | "no_such_line" | "unknown_batch" | "nothing_recalled" | "private_block" | "import_running" | "no_tag" | "unknown_job" | "not_by_key" | "holds_forgotten" | "too_many_tags" | "missing" | "bad_rule" | "unfit" | "unknown_setting" | "fixed" | "not_changed" | "nothing_changed" | "stopped" | "busy" | "too_large" | null} why_masked
 * @property {number} now
 */

/**
 * @typedef {object} ForeseenPolicy
 * @property {string} policy
 * @property {number[]} left
 * @property {number} going
 * @property {Going[]} first
 */

/**
 * @typedef {object} Going
 * @property {MemoryView} memory
 * @property {number} at
 * @property {number | null} elsewhere
 */

/**
 * @typedef {object} Simulated
 * @property {Conditions} conditions
 * @property {boolean} complete
 * @property {Life[]} lives
 * @property {number} now
 */

/**
 * @typedef {object} Conditions
 * @property {number} days
 * @property {number} fewest_calls
 * @property {number} most_calls
 * @property {number} top_k
 * @property {number} useful_prob
 * @property {boolean} floor
 */

/**
 * @typedef {object} Life
 * @property {string} policy
 * @property {Figures} overall
 * @property {Record<string, Figures>} profiles
 */

/**
 * @typedef {object} Figures
 * @property {number} created
 * @property {[number, number, number]} tiers
 * @property {number} mean_lifetime_days
 * @property {number} p90_lifetime_days
 * @property {number[]} monthly_survivors
 */

/**
 * @typedef {object} EntityGraph
 * @property {Node[]} nodes
 * @property {Link[]} links
 * @property {MemoryView[]} memories
 * @property {number} names
 * @property {number} total
 * @property {number} left_out
 * @property {"admins_only" | "not_revealed" | "reason_needed" | "only_this_chat" | "unknown_scope" | "unknown_memory" | "ambiguous_id" | "not_yours" | "in_bin" | "archived" | "quarantined" | "not_quarantined" | "only_by_owner" | "paused" | "group_paused" | "not_recorded" | "empty" | "too_long" | "unchanged" | "no_files" | "unknown_backup" | "being_moved" | "wrong_code" | "nothing_there" | "only_in_groups" | "only_in_private" | "unknown_account" | "unknown_file" | "another_plugins" | "no_conflict" | "not_binned" | "not_gone" | "being_purged" | "unknown_report" | "unknown_decision" | "sources_gone" | "not_undoable" | "no_intention" | "no_such_line" | "unknown_batch" | "nothing_recalled" | "private_block" | "import_running" | "no_tag" | "unknown_job" | "not_by_key" | "holds_forgotten" | "too_many_tags" | "missing" | "bad_rule" | "unfit" | "unknown_setting" | "fixed" | "not_changed" | "nothing_changed" | "stopped" | "busy" | "too_large" | null} why_masked
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
 * @typedef {object} SettingStates
 * @property {SettingState[]} settings
 * @property {string} preset
 * @property {number} now
 */

/**
 * @typedef {object} SettingState
 * @property {string} name
 * @property {Setting} declared
 * @property {boolean | number | number | string} value
 * @property {boolean | number | number | string} file
 * @property {"default" | "file" | "override"} origin
 * @property {boolean} idle
 * @property {string} by
 * @property {number} at
 * @property {string} problem
 */

/**
 * @typedef {object} Setting
 * @property {string} name
 * @property {Wanted} wanted
 * @property {boolean | number | number | string} default
 * @property {Declaration} declaration
 * @property {boolean} changeable
 * @property {[string, boolean | number | number | string] | null} when
 */

/**
 * @typedef {object} Declaration
 * @property {number | null} low
 * @property {number | null} high
 * @property {number | null} step
 * @property {[string, boolean | string] | null} when
 * @property {string[]} choices
 * @property {boolean} secret
 * @property {string} written
 * @property {string | null} fallback
 * @property {string} picker
 * @property {"embedding" | "rerank" | null} provider
 * @property {boolean} basic
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
 * @typedef {object} Tried
 * @property {number} at
 * @property {string[]} facts
 * @property {string} problem
 * @property {number} now
 */

/**
 * @typedef {object} Conflicts
 * @property {{entries: OpenConflict[], number: number, pages: number, total: number}} page
 * @property {"admins_only" | "not_revealed" | "reason_needed" | "only_this_chat" | "unknown_scope" | "unknown_memory" | "ambiguous_id" | "not_yours" | "in_bin" | "archived" | "quarantined" | "not_quarantined" | "only_by_owner" | "paused" | "group_paused" | "not_recorded" | "empty" | "too_long" | "unchanged" | "no_files" | "unknown_backup" | "being_moved" | "wrong_code" | "nothing_there" | "only_in_groups" | "only_in_private" | "unknown_account" | "unknown_file" | "another_plugins" | "no_conflict" | "not_binned" | "not_gone" | "being_purged" | "unknown_report" | "unknown_decision" | "sources_gone" | "not_undoable" | "no_intention" | "no_such_line" | "unknown_batch" | "nothing_recalled" | "private_block" | "import_running" | "no_tag" | "unknown_job" | "not_by_key" | "holds_forgotten" | "too_many_tags" | "missing" | "bad_rule" | "unfit" | "unknown_setting" | "fixed" | "not_changed" | "nothing_changed" | "stopped" | "busy" | "too_large" | null} why_masked
 * @property {number} now
 */

/**
 * @typedef {object} OpenConflict
 * @property {string} attribute
 * @property {MemoryView[]} claims
 * @property {number[]} trust
 */

/**
 * @typedef {object} Plans
 * @property {{entries: MemoryView[], number: number, pages: number, total: number}} page
 * @property {Record<"open" | "due" | "closed" | "stale", number>} counts
 * @property {number} now
 */

/**
 * @typedef {object} Report
 * @property {Sleep} sleep
 * @property {Owner | null} owner
 * @property {Record<"weakened" | "demoted" | "archived" | "binned" | "summarised" | "emptied" | "purged" | "reread" | "overlooked" | "conflict_found" | "conflict_settled" | "related" | "enriched" | "merged" | "intention_stale" | "graduated" | "profiled" | "reworded" | "threaded" | "grouped" | "linked", number>} deeds
 * @property {Record<"unchanged" | "seen" | "young" | "different" | "no_model" | "budget" | "failed", number>} left
 * @property {number} seconds
 * @property {string[]} failed
 * @property {{entries: DecidedView[], number: number, pages: number, total: number}} decisions
 */

/**
 * @typedef {object} Sleep
 * @property {number} id
 * @property {string} scope
 * @property {"interval" | "quiet" | "night" | "command"} cause
 * @property {number} at
 * @property {number | null} ended_at
 * @property {number} calls
 * @property {number} tokens
 * @property {Record<string, StepState>} steps
 * @property {Record<"weakened" | "demoted" | "archived" | "binned" | "summarised" | "emptied" | "purged" | "reread" | "overlooked" | "conflict_found" | "conflict_settled" | "related" | "enriched" | "merged" | "intention_stale" | "graduated" | "profiled" | "reworded" | "threaded" | "grouped" | "linked", number>} decided
 */

/**
 * @typedef {object} StepState
 * @property {boolean} done
 * @property {number} failures
 * @property {number} seconds
 * @property {Record<"weakened" | "demoted" | "archived" | "binned" | "summarised" | "emptied" | "purged" | "reread" | "overlooked" | "conflict_found" | "conflict_settled" | "related" | "enriched" | "merged" | "intention_stale" | "graduated" | "profiled" | "reworded" | "threaded" | "grouped" | "linked" | "unchanged" | "seen" | "young" | "different" | "no_model" | "budget" | "failed", number>} counts
 */

/**
 * @typedef {object} DecidedView
 * @property {Decided} decided
 * @property {MemoryView[]} memories
 */

/**
 * @typedef {object} Decided
 * @property {number} id
 * @property {number} sleep
 * @property {string} scope
 * @property {string} step
 * @property {number} at
 * @property {Decision} decision
 * @property {number | null} undone_at
 */

/**
 * @typedef {object} Decision
 * @property {string} key
 * @property {"weakened" | "demoted" | "archived" | "binned" | "summarised" | "emptied" | "purged" | "reread" | "overlooked" | "conflict_found" | "conflict_settled" | "related" | "enriched" | "merged" | "intention_stale" | "graduated" | "profiled" | "reworded" | "threaded" | "grouped" | "linked"} deed
 * @property {string[]} memories
 * @property {string} reason
 * @property {Record<string, any>} kept
 */

/**
 * @typedef {object} Exported
 * @property {string} name
 * @property {string} folder
 * @property {number} count
 * @property {number} now
 */

/**
 * @typedef {object} StorageState
 * @property {string} backend
 * @property {number} count
 * @property {string[]} targets
 * @property {Disagreement | null} disagreement
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
 * @typedef {object} Backup
 * @property {string} name
 * @property {number} at
 * @property {"daily" | "asked" | "restore"} occasion
 * @property {string} backend
 * @property {number} size
 * @property {number} memories
 * @property {number} held
 * @property {number} known
 * @property {number} forgotten
 */

/**
 * @typedef {object} Restored
 * @property {Backup} backup
 * @property {Backup} before
 * @property {number} held
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
 * @typedef {object} Importable
 * @property {string[]} names
 * @property {string} folder
 * @property {number} now
 */

/**
 * @typedef {object} MovePlan
 * @property {string} program
 * @property {string} version
 * @property {ChatShare[]} chats
 * @property {Record<"deleted" | "replaced" | "doubtful" | "empty" | "long" | "broken" | "unreadable" | "cut" | "repeated" | "no_owner" | "left_out" | "forgotten" | "paused" | "deleted_here", number>} skipped
 * @property {number} new
 * @property {number} known
 * @property {string} batch
 * @property {string[]} platforms
 * @property {number} now
 */

/**
 * @typedef {object} ChatShare
 * @property {number} number
 * @property {string} chat
 * @property {string} persona
 * @property {string} name
 * @property {Scope | null} target
 * @property {boolean} left_out
 * @property {number} new
 * @property {number} known
 * @property {number} skipped
 */

/**
 * @typedef {object} Scope
 * @property {"private" | "group"} kind
 * @property {string} platform
 * @property {string} subject
 * @property {string} persona
 */

/**
 * @typedef {object} Past
 * @property {number} chats
 * @property {number} turns
 * @property {number} episodes
 * @property {number} tokens
 * @property {number} days
 * @property {number} unclear
 * @property {boolean} more
 * @property {number} now
 */

/**
 * @typedef {object} ImportUndone
 * @property {Batch} batch
 * @property {number} going
 * @property {number} staying
 * @property {number} now
 */
