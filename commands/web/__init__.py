"""The resources of the plugin's web page, each rendered as JSON from what an action answers."""
