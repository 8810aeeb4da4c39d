"""The actions of the recall graph, one a module: a function, a node and a LangChain tool each."""

from langrecall.tools.read_raw import create_read_raw_tool
from langrecall.tools.search_meta import create_search_meta_tool
from langrecall.tools.view import create_view_tool
from langrecall.tools.zoom_in import create_zoom_in_tool
from langrecall.tools.zoom_out import create_zoom_out_tool

__all__ = [
    "create_read_raw_tool",
    "create_search_meta_tool",
    "create_view_tool",
    "create_zoom_in_tool",
    "create_zoom_out_tool",
]
